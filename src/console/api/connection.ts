import { signal } from "@preact/signals";

import type { Session } from "../../domain/operator/access.ts";

/** Since when the server has not responded, and when the data shown was loaded; undefined while it responds. */
export const offline = signal<{ since: number; loadedAt: number } | undefined>(undefined);

let lastAnswerAt = Date.now();

/** A response arrived, with any status. */
export function answered(): void {
  lastAnswerAt = Date.now();
  offline.value = undefined;
}

/** No response arrived. */
export function unanswered(): void {
  offline.value ??= { since: Date.now(), loadedAt: lastAnswerAt };
}

/** The session; null: nobody is signed in; undefined: not known yet. */
export const session = signal<Session | null | undefined>(undefined);
