import { takeEvents } from "../../domain/event-stream.ts";
import type { HandoffEvent } from "../../domain/handoff.ts";

/** What following a conversation needs from outside. */
export interface FollowParts {
  /** Opens a stream of what was said after the last event that is known. */
  open: (signal: AbortSignal) => Promise<Response>;
  told: (event: HandoffEvent) => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Three heartbeats of the service's. */
const SILENT_MS = 45_000;
const LASTING_MS = 5000;

/** Hears what is said in a conversation until `signal`, over every break of the connection. */
export async function follow({ open, told }: FollowParts, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const opened = performance.now();
    const connection = new AbortController();
    const leave = () => connection.abort();
    signal.addEventListener("abort", leave);
    try {
      const response = await open(connection.signal);
      if (isFinal(response.status)) return;
      if (response.ok) await read(response.body!, leave, told);
    } catch {
      // The connection broke, or was silent for too long: the next one begins after the last event that is known.
    } finally {
      // A stream that ends at once has nothing to follow, as after a hand-off that is closed: asking again at once does not help.
      if (performance.now() - opened > LASTING_MS) failures = 0;
      signal.removeEventListener("abort", leave);
    }
    await pause(pauseMs(failures), signal);
    failures += 1;
  }
}

/** A token that is not valid any more, or a bot that has gone, does not come back by asking. */
const isFinal = (status: number) => status >= 400 && status < 500 && ![408, 425, 429].includes(status);

/** Twice as long after each failure; at random, so that not every page asks a server that comes back at once. */
function pauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random() / 2);
}

async function read(
  body: ReadableStream<Uint8Array>,
  leave: () => void,
  told: FollowParts["told"],
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = "";
  for (;;) {
    const watch = setTimeout(leave, SILENT_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(watch));
    if (done) return;
    const { events, rest } = takeEvents(text + value);
    text = rest;
    for (const { event, data } of events) if (event === "handoff") told(JSON.parse(data) as HandoffEvent);
  }
}

/** Ends early when the network is back, or nobody wants to follow any more. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const timer = setTimeout(end, milliseconds);
    function end(): void {
      clearTimeout(timer);
      over.abort();
      resolve();
    }
    addEventListener("online", end, { signal: over.signal });
    signal.addEventListener("abort", end, { signal: over.signal });
    if (signal.aborted) end();
  });
}
