import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { ask } from "./api/client.ts";
import { offline } from "./api/offline.ts";
import { counted } from "./words/numbers.ts";

const LOOK_EVERY_MS = 5000;
/** In a tab that nobody looks at, for the count in its title. */
const LOOK_HIDDEN_EVERY_MS = 60_000;
/** A working day. A tab that is forgotten for longer asks no more, so that its session comes to its end. */
const LOOK_HIDDEN_FOR_MS = 8 * 3600_000;

/** Visitors who wait for a person, as last told; undefined while it is not known. */
export const waitingVisitors = signal<number | undefined>(undefined);
/** Notices of hand-offs that did not reach anybody, as last told. */
export const failedNotices = signal(0);

const pageTitle = signal("Parley");

/** Names the window after a page. While visitors wait, their number stands before it: `(3) Overview · Parley`. */
export function nameWindow(title: string): void {
  pageTitle.value = `${title} · Parley`;
}

/** `3 visitors wait for a person`. */
export const waitInWords = (visitors: number): string =>
  `${counted(visitors, "visitor")} ${visitors === 1 ? "is" : "are"} waiting for a person`;

/** Asks how many visitors wait. */
export async function countWaitingVisitors(): Promise<void> {
  try {
    const count = await ask("GET /handoffs/count", {});
    waitingVisitors.value = count.waiting;
    failedNotices.value = count.failedNotices;
  } catch {
    // Whatever is asked for in sight says what is wrong; a count that may be old says nothing.
    waitingVisitors.value = undefined;
    failedNotices.value = 0;
  }
}

/** Keeps the count, and the title of the window, while the console is open. */
export function useWaitingVisitors(): void {
  useEffect(
    () =>
      effect(() => {
        const waiting = waitingVisitors.value ?? 0;
        document.title = waiting > 0 ? `(${waiting}) ${pageTitle.value}` : pageTitle.value;
      }),
    [],
  );
  useEffect(() => {
    let [seenAt, askedAt, isBusy] = [Date.now(), 0, false];
    const look = async () => {
      const now = Date.now();
      const isSeen = document.visibilityState === "visible";
      if (isSeen) seenAt = now;
      const isDue = isSeen || (now - askedAt >= LOOK_HIDDEN_EVERY_MS && now - seenAt < LOOK_HIDDEN_FOR_MS);
      if (isBusy || !isDue || offline.peek() !== undefined) return;
      [askedAt, isBusy] = [now, true];
      await countWaitingVisitors();
      isBusy = false;
    };
    const start = () => void look();
    start();
    const timer = setInterval(start, LOOK_EVERY_MS);
    document.addEventListener("visibilitychange", start);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", start);
    };
  }, []);
}
