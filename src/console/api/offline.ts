import { signal } from "@preact/signals";

/** That the server does not answer, and since when; undefined while it does. */
export const offline = signal<{ since: number; loadedAt: number } | undefined>(undefined);

let lastAnswerAt = Date.now();

/** An answer came, whatever it says. */
export function answered(): void {
  lastAnswerAt = Date.now();
  offline.value = undefined;
}

/** No answer came. */
export function unanswered(): void {
  offline.value ??= { since: Date.now(), loadedAt: lastAnswerAt };
}
