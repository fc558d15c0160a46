import type { HandoffEvent } from "../domain/handoff.ts";
import { backoffMs, retryAfterMs } from "./pause.ts";
import { readEvents } from "./read-events.ts";

/** The external parts that following a conversation uses. */
export interface FollowParts {
  /** Opens a stream of what was said after the event of that number. */
  open: (after: number) => Promise<Response>;
  /** Ends early where `signal` says so. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
}

const LASTING_MS = 5000;

/**
 * The events of a conversation after the event `after`, each once and in order, across lost connections. Ends with `signal`, or with the
 * hand-off.
 *
 * @returns the answer of a service that refuses for good.
 */
export async function* follow(
  { open, pause, random }: FollowParts,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<HandoffEvent, Response | undefined, undefined> {
  let failures = 0;
  while (!signal.aborted) {
    const opened = performance.now();
    let response: Response | undefined;
    let closedAt = -Infinity;
    try {
      response = await open(after);
      if (isFinal(response.status)) return response;
      for await (const { event, data } of readEvents(response.body!)) {
        const told = JSON.parse(data) as HandoffEvent;
        if (event !== "handoff" || told.number <= after) continue;
        after = told.number;
        yield told;
        closedAt = isClosing(told) ? performance.now() : -Infinity;
      }
      // An earlier hand-off may be closed in the middle of a stream; this one is, where the service ends the stream at once after it.
      if (performance.now() - closedAt < LASTING_MS) return undefined;
    } catch {
      // The connection broke: the next one begins after the last event that is known.
    }
    // A stream that ends at once has nothing to follow, as after a hand-off that is closed: asking again at once does not help.
    if (performance.now() - opened > LASTING_MS) failures = 0;
    await pause(
      Math.max(backoffMs(failures, random), (response && retryAfterMs(response.headers)) ?? 0),
      signal,
    );
    failures += 1;
  }
  return undefined;
}

const isClosing = ({ kind, text }: HandoffEvent) => kind === "state" && text === "closed";

/** A token that is not valid any more, or a bot that has gone, does not come back by asking. */
const isFinal = (status: number) => status >= 400 && status < 500 && ![408, 425, 429].includes(status);
