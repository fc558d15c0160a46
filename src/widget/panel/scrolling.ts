import type { ParleyMessage } from "../public.d.ts";

/** Closer to the end than this counts as being there. */
const NEAR_PX = 48;
const ROOM_ABOVE_PX = 16;

export interface Scrolling {
  readonly attach: (box: HTMLElement | null) => void;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
  /** Call after drawing; returns whether the end of the conversation is out of sight. */
  readonly settle: (messages: readonly ParleyMessage[], shown: number) => boolean;
}

const leftBelow = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight;

function lastQuestionTop(box: HTMLElement): number {
  const last = [...box.querySelectorAll<HTMLElement>(".question")].at(-1);
  return last ? last.offsetTop - ROOM_ABOVE_PX : Number.POSITIVE_INFINITY;
}

/**
 * Follows the conversation while the visitor is at its end, but never past the start of the last question, so that a
 * long answer is read from its beginning. Earlier messages appear above without moving what is being read.
 */
export function createScrolling(onAway: (away: boolean) => void): Scrolling {
  let box: HTMLElement | null = null;
  let following = true;
  let before = { shown: 0, height: 0, last: undefined as ParleyMessage | undefined };
  return {
    attach: (element) => (box = element),
    onScroll() {
      if (box === null) return;
      following = leftBelow(box) <= NEAR_PX || Math.abs(box.scrollTop - lastQuestionTop(box)) < 2;
      onAway(leftBelow(box) > NEAR_PX);
    },
    toEnd() {
      following = true;
      box?.scrollTo(0, box.scrollHeight);
      box?.focus();
    },
    settle(messages, shown) {
      if (box === null) return false;
      const last = messages.at(-1);
      if (last !== before.last && last?.role === "visitor") following = true;
      if (shown > before.shown && before.shown > 0) box.scrollTop += box.scrollHeight - before.height;
      else if (following) box.scrollTop = Math.min(box.scrollHeight, lastQuestionTop(box));
      before = { shown, height: box.scrollHeight, last };
      return leftBelow(box) > NEAR_PX;
    },
  };
}
