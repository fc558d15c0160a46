import type { Progress } from "../../domain/operator/bots.ts";
import type { Problem } from "../errors.ts";
import type { ProgressWork, ReportStep } from "./frame.ts";

/** Handling of an error in the middle of a stream: its problem document and log line. */
export interface StreamFaults {
  describe(error: unknown): Pick<Problem, "code" | "detail">;
  report(error: unknown): void;
}

const HEADERS = {
  "Content-Type": "application/x-ndjson; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/** Most lines per step after the first: enough to see progress. */
const LINES_OF_STEP = 20;

/** Skips progress that is less than a twentieth beyond the last line. */
function sparingly(send: ReportStep): ReportStep {
  let latest = "";
  return (step, done, of) => {
    const place = `${Math.floor((LINES_OF_STEP * done) / of)} ${step}`;
    if (place === latest) return;
    latest = place;
    send(step, done, of);
  };
}

/** Sends steps and then the result or a problem, one JSON document per line. */
export function progressResponse<Result>(
  work: ProgressWork<Result>,
  left: AbortSignal,
  faults: StreamFaults,
): Response {
  return streamOf(left, async (write, signal) => {
    const send = (line: Progress<Result>) => write(line);
    try {
      const report = sparingly((step, done, of) => send({ kind: "step", step, done, of }));
      const result = await work(report, signal, (part) => send({ kind: "part", result: part }));
      send({ kind: "result", result });
    } catch (error) {
      sendProblem(write, error, signal, faults);
    }
  });
}

/** Sends rows as they are found, one JSON document per line; on an error, a last line of `kind: "problem"`. */
export function linesResponse(
  rows: AsyncIterable<unknown>,
  left: AbortSignal,
  faults: StreamFaults,
): Response {
  return streamOf(left, async (write, signal, drained) => {
    try {
      for await (const row of rows) {
        if (signal.aborted) return;
        write(row);
        await drained();
      }
    } catch (error) {
      sendProblem(write, error, signal, faults);
    }
  });
}

type Write = (line: unknown) => void;

/** After an abort nobody reads the stream, so errors are ignored. */
function sendProblem(write: Write, error: unknown, signal: AbortSignal, faults: StreamFaults): void {
  if (signal.aborted) return;
  faults.report(error);
  const { code, detail } = faults.describe(error);
  write({ kind: "problem", code, detail });
}

/** @param produce writes lines until its signal aborts; `drained` resolves when the reader has room for more. */
function streamOf(
  left: AbortSignal,
  produce: (write: Write, signal: AbortSignal, drained: () => Promise<void>) => Promise<void>,
): Response {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  left.addEventListener("abort", leave, { once: true });
  if (left.aborted) leave();
  const encoder = new TextEncoder();
  let wanted = Promise.withResolvers<void>();
  leaving.signal.addEventListener("abort", () => wanted.resolve(), { once: true });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write: Write = (line) => {
        if (!leaving.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      };
      const drained = async () => {
        if ((controller.desiredSize ?? 0) > 0 || leaving.signal.aborted) return;
        wanted = Promise.withResolvers();
        await wanted.promise;
      };
      void produce(write, leaving.signal, drained).finally(() => {
        left.removeEventListener("abort", leave);
        if (!leaving.signal.aborted) controller.close();
      });
    },
    pull: () => wanted.resolve(),
    cancel: leave,
  });
  return new Response(body, { headers: HEADERS });
}
