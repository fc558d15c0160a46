import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { ask } from "./api/client.ts";
import { offline } from "./api/connection.ts";
import { counted } from "./words/numbers.ts";

const LOOK_EVERY_MS = 5000;
/** Interval in a hidden tab, for the number in its title. */
const LOOK_HIDDEN_EVERY_MS = 60_000;
/** A working day. A hidden tab stops asking after this time, so that its session can expire. */
const LOOK_HIDDEN_FOR_MS = 8 * 3600_000;

/** Number of visitors waiting for a person; undefined until known. */
export const waitingVisitors = signal<number | undefined>(undefined);
/** Number of hand-off notices that could not be delivered. */
export const failedNotices = signal(0);

const pageTitle = signal("Parley");

/** Sets the window's title, with the number of waiting visitors in front: `(3) Overview · Parley`. */
export function nameWindow(title: string): void {
  pageTitle.value = `${title} · Parley`;
}

/** `3 visitors are waiting for a person`. */
export const waitInWords = (visitors: number): string =>
  `${counted(visitors, "visitor")} ${visitors === 1 ? "is" : "are"} waiting for a person`;

/** Reads the number of waiting visitors. */
export async function countWaitingVisitors(): Promise<void> {
  try {
    const count = await ask("GET /handoffs/count", {});
    waitingVisitors.value = count.waiting;
    failedNotices.value = count.failedNotices;
  } catch {
    // On failure the number is hidden: an old number would mislead, and other requests report the problem.
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
