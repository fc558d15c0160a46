import type { ParleyMessage } from "../public.d.ts";

/** Distance from the end up to which a visitor counts as being at the end; chosen by hand. */
const NEAR_PX = 48;
const ROOM_ABOVE_PX = 16;
/** Largest share of the view for a question, chosen by hand; the rest is for the answer below it. */
const LARGEST_SHARE = 0.4;

export interface Scrolling {
  readonly attach: (box: HTMLElement | null) => void;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
  /** Call after drawing. @returns whether the end of the conversation is scrolled out of view. */
  readonly settle: (messages: readonly ParleyMessage[], shown: number) => boolean;
}

/** Position that stays in view as the conversation grows: the last question, the end, or none, once the visitor has scrolled. */
type Anchor = "question" | "end" | "none";

const leftBelow = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight;

function topFor(anchor: Anchor, box: HTMLElement): number {
  const end = box.scrollHeight - box.clientHeight;
  if (anchor !== "question") return end;
  if (box.querySelector(".fresh")) return 0;
  const question = [...box.querySelectorAll<HTMLElement>(".question")].at(-1);
  // The reason of a rejection is shown at the end; the message itself is back in the composer.
  if (!question || box.querySelector(".failure")) return end;
  const roomAbove = Math.min(ROOM_ABOVE_PX, box.clientHeight * LARGEST_SHARE - question.offsetHeight);
  // Offset of the message, plus that of the question in it: a date may be above.
  return Math.min(end, question.parentElement!.offsetTop + question.offsetTop - roomAbove);
}

/**
 * Follows the conversation while the visitor is at its end, but never scrolls past the visitor's last message, so that a long answer is
 * read from its beginning. Adding earlier messages does not move the text that is being read.
 */
export function createScrolling(onAway: (away: boolean) => void): Scrolling {
  let box: HTMLElement | null = null;
  let anchor: Anchor = "question";
  let before = { shown: 0, height: 0, view: 0, last: undefined as ParleyMessage | undefined };
  let away = false;
  return {
    attach: (element) => (box = element),
    onScroll() {
      if (box === null) return;
      away = leftBelow(box) > NEAR_PX;
      const held = anchor === "question" && Math.abs(box.scrollTop - topFor(anchor, box)) < 2;
      if (!held) anchor = away ? "none" : "end";
      onAway(away);
    },
    toEnd() {
      anchor = "end";
      box?.scrollTo(0, box.scrollHeight);
      box?.focus();
    },
    settle(messages, shown) {
      if (box === null) return false;
      const last = messages.at(-1);
      if (last !== before.last && (!last || last.role === "visitor")) anchor = "question";
      // A phone's keyboard or a longer draft has made the view smaller: keep the end in view.
      if (last && !away && box.clientHeight < before.view && leftBelow(box) > 0) anchor = "end";
      if (shown > before.shown && before.shown > 0) box.scrollTop += box.scrollHeight - before.height;
      else if (anchor !== "none") box.scrollTop = topFor(anchor, box);
      before = { shown, height: box.scrollHeight, view: box.clientHeight, last };
      return (away = leftBelow(box) > NEAR_PX);
    },
  };
}
