import type { Progress } from "../../domain/operator/bots.ts";
import { readNdjson } from "./ndjson.ts";
import { answered, unanswered } from "./offline.ts";
import { offlineProblem, Problem, problemOf } from "./problem.ts";
import type { AnswerOf, InputOf, ResultOf, RouteName, StreamedName } from "./routes.ts";
import { session } from "./signed-in.ts";

const API = "/api/v1";

/** What any request may carry, beside what its route takes. */
interface Extras {
  signal?: AbortSignal;
  /** Of what is changed, as it was read: somebody else's change in between is an error, and is not overwritten. */
  ifMatch?: string;
  /** Of what is sent again where no answer came, so that it is done once. */
  idempotencyKey?: string;
  /** Sent also where the page is closed meanwhile, unless it is longer than browsers allow for that: then it may be cut, and leaving the page asks first. */
  isKept?: boolean;
}

/** Browsers keep 64 KiB of all such requests that are on their way, and refuse to send what goes beyond. */
const MOST_KEPT_BYTES = 60 * 1024;
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
  const isWithinBound = isKept && keptBytes + bytes <= MOST_KEPT_BYTES;
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
  // A session that has ended brings the sign-in back, at the same address.
  if (response.status === 401 && !route.startsWith("POST /session")) session.value = null;
  throw await problemOf(response);
}

/**
 * Asks the operator API.
 * @throws Problem where it refuses, fails or does not answer.
 */
export async function ask<Name extends RouteName>(
  route: Name,
  input: InputOf<Name>,
  extras: Extras = {},
): Promise<AnswerOf<Name>> {
  return (await askTagged(route, input, extras)).answer;
}

/** The same, with the ETag of what was answered. */
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
 * Asks for work that takes a while. Tells of each step as it is made, and of what is known so far, and resolves with the result.
 * @throws Problem also where the work ends in one, or the stream is cut.
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
