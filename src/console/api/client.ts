import type { Progress } from "../../domain/operator/bots.ts";
import { answered, session, unanswered } from "./connection.ts";
import { offlineProblem, Problem, problemOf } from "./problem.ts";
import type { AnswerOf, InputOf, ResultOf, RouteName, StreamedName } from "./routes.ts";

const API = "/api/v1";

/** Options of a request, beside the input of its route. */
interface Extras {
  signal?: AbortSignal;
  /** ETag of the version that was read. If it has changed on the server, the request fails instead of overwriting it. */
  ifMatch?: string;
  /** Key of a request that may be repeated after a lost answer, so that it is carried out once. */
  idempotencyKey?: string;
  /**
   * The request is also sent when the page closes meanwhile. A request above `MAX_KEPT_BYTES` may be cut off; leaving the page then asks
   * first.
   */
  isKept?: boolean;
}

/** Browsers reject a request when all `keepalive` requests in progress exceed 64 KiB. */
const MAX_KEPT_BYTES = 60 * 1024;
let keptBytes = 0;

interface AnyInput {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
}

/** An answer with its ETag, to be given as `ifMatch` when it is changed. */
export interface Tagged<Answer> {
  answer: Answer;
  etag: string | undefined;
}

/** Address of a route with its parameters; absent ones are left out. */
export function addressOf(route: RouteName, { path = {}, query = {} }: AnyInput): string {
  const template = route.slice(route.indexOf(" ") + 1);
  const filled = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name]!));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  return `${API}${filled}${search.size > 0 ? `?${search}` : ""}`;
}

async function send(
  route: RouteName,
  input: AnyInput,
  { signal, ifMatch, idempotencyKey, isKept = false }: Extras,
): Promise<Response> {
  const isForm = input.body instanceof FormData;
  const body = input.body === undefined || isForm ? input.body : JSON.stringify(input.body);
  const headers = new Headers({ Accept: "application/json, application/x-ndjson" });
  if (body !== undefined && !isForm) headers.set("Content-Type", "application/json");
  if (ifMatch !== undefined) headers.set("If-Match", ifMatch);
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
  const bytes = isKept ? new Blob([body as string]).size : 0;
  const isWithinBound = isKept && keptBytes + bytes <= MAX_KEPT_BYTES;
  if (isWithinBound) keptBytes += bytes;
  const response = await fetch(addressOf(route, input), {
    method: route.slice(0, route.indexOf(" ")),
    headers,
    cache: "no-store",
    keepalive: isWithinBound,
    ...(body !== undefined && { body: body as BodyInit }),
    ...(signal && { signal }),
  })
    .catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
      unanswered();
      throw offlineProblem();
    })
    .finally(() => {
      if (isWithinBound) keptBytes -= bytes;
    });
  answered();
  if (response.ok) return response;
  // An ended session shows the sign-in form at the same address.
  if (response.status === 401 && !route.startsWith("POST /session")) session.value = null;
  throw await problemOf(response);
}

/** Calls the operator API. @throws Problem if the API rejects the request, fails or does not respond. */
export async function ask<Name extends RouteName>(
  route: Name,
  input: InputOf<Name>,
  extras: Extras = {},
): Promise<AnswerOf<Name>> {
  return (await askTagged(route, input, extras)).answer;
}

/** Like {@link ask}, with the ETag of the answer. */
export async function askTagged<Name extends RouteName>(
  route: Name,
  input: InputOf<Name>,
  extras: Extras = {},
): Promise<Tagged<AnswerOf<Name>>> {
  const response = await send(route, input as AnyInput, extras);
  const text = await response.text();
  const answer = (text === "" ? undefined : JSON.parse(text)) as AnswerOf<Name>;
  return { answer, etag: response.headers.get("etag") ?? undefined };
}

type Step = Extract<Progress<unknown>, { kind: "step" }>;

/**
 * Calls a route that takes a while. `onStep` receives each step and partial result; the promise resolves with the final result. @throws
 * Problem also if the work fails or the stream is cut off.
 */
export async function askStream<Name extends StreamedName>(
  route: Name,
  input: InputOf<Name>,
  onStep: (step: Step) => void,
  extras: Extras = {},
  onPart: (part: ResultOf<Name>) => void = () => {},
): Promise<ResultOf<Name>> {
  const response = await send(route, input as AnyInput, extras);
  const requestId = response.headers.get("x-request-id") ?? undefined;
  for await (const line of readNdjson<Progress<ResultOf<Name>>>(response.body!)) {
    if (line.kind === "step") onStep(line);
    else if (line.kind === "part") onPart(line.result);
    else if (line.kind === "result") return line.result;
    else
      throw new Problem({
        status: 500,
        code: line.code,
        detail: line.detail,
        ...(requestId && { requestId }),
      });
  }
  throw new Problem({
    status: 0,
    code: "CUT",
    detail: "The connection ended before the result arrived.",
    ...(requestId && { requestId }),
  });
}

/** Yields the documents of a newline-delimited JSON stream as they arrive. The last line needs no line break. */
async function* readNdjson<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (value ?? "")).split("\n");
      rest = done ? "" : lines.pop()!;
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as Line;
      if (done) return;
    }
  } finally {
    // Cancelling the stream also stops the server's work.
    await reader.cancel();
  }
}
