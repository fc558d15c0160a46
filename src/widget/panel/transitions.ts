import type { ParleyStatus } from "../public.d.ts";
import { limitSentence, type PanelView } from "./view.ts";

const LONG_WAIT_MS = 5000;
const COUNTDOWN_STEP_MS = 250;

/** Effects that run once at each change of status: timers, announcements, the draft. */
export interface Transitions {
  /** Call before drawing. */
  readonly follow: (status: ParleyStatus) => void;
  readonly destroy: () => void;
}

export function createTransitions(view: PanelView): Transitions {
  let before: ParleyStatus["kind"] = "idle";
  let slowTimer: ReturnType<typeof setTimeout> | undefined;
  let countdown: ReturnType<typeof setInterval> | undefined;

  function stopTimers(): void {
    clearTimeout(slowTimer);
    clearInterval(countdown);
    view.slow = false;
  }

  function startTimers(kind: ParleyStatus["kind"]): void {
    if (kind === "limited") countdown = setInterval(view.draw, COUNTDOWN_STEP_MS);
    if (kind !== "waiting") return;
    slowTimer = setTimeout(() => {
      view.slow = true;
      view.draw();
    }, LONG_WAIT_MS);
  }

  /** Moves a rejected message's text back into an empty composer; removes it there once the message was answered or deleted. */
  function restoreDraft(kind: ParleyStatus["kind"]): void {
    const question = view.session.messages().at(-1);
    if (kind === "failed" && question?.rejected && view.draft === "") {
      view.draft = question.text;
      view.returned = question;
    }
    if (kind === "idle") {
      if (view.draft === view.returned?.text) view.draft = "";
      view.returned = undefined;
    }
  }

  return {
    follow(status) {
      if (status.kind === before) return;
      stopTimers();
      startTimers(status.kind);
      view.said = announcement(view, status, before);
      restoreDraft(status.kind);
      before = status.kind;
    },
    destroy: stopTimers,
  };
}

/** Announcement of a change that is only visible: once at its start and once at its end. */
function announcement(view: PanelView, status: ParleyStatus, before: ParleyStatus["kind"]): string {
  if (status.kind === "limited") return limitSentence(view, status.until);
  if (before === "limited") return view.words("limitedOver");
  if (status.kind === "waiting") return view.words("typing");
  return status.kind === "streaming" ? view.said : "";
}
