import type { FieldFault } from "../domain/errors.ts";
import { retryAfterMs } from "./pause.ts";
import type { ParleyErrorCode } from "./public.d.ts";

interface ErrorFields {
  status: number;
  code: ParleyErrorCode;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  errors?: readonly FieldFault[] | undefined;
}

/** A request that got no answer of the bot's; described in public.d.ts. */
export class ParleyError extends Error {
  readonly status: number;
  readonly code: ParleyErrorCode;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly errors: readonly FieldFault[];

  constructor(message: string, fields: ErrorFields, cause?: unknown) {
    super(message, { cause });
    this.name = "ParleyError";
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
    this.errors = fields.errors ?? [];
  }

  get isRetryable(): boolean {
    return [0, 429, 502, 503, 504].includes(this.status) && this.code !== "MESSAGE_CAP_EXCEEDED";
  }
}

/** No answer arrived, or not all of it: the network, or the service at `endpoint`, is away. */
export function networkError(endpoint: string, cause: unknown): ParleyError {
  const message = `${endpoint} gave no answer: ${reasonOf(cause)}`;
  return new ParleyError(message, { status: 0, code: "NETWORK_ERROR" }, cause);
}

/** Node says "fetch failed", and why in `cause`, which has a code alone where a host has several addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, cause, code } = error as Error & { code?: string };
  const own = message || code || name;
  return cause === undefined ? own : `${own}: ${reasonOf(cause)}`;
}

/** Somebody answers at the endpoint, in words that are not Parley's. */
export function invalidResponse({ status, url }: Response, cause?: unknown): ParleyError {
  const message = `What answers at ${url} is not Parley; check \`endpoint\`.`;
  return new ParleyError(message, { status, code: "INVALID_RESPONSE" }, cause);
}

type Problem = Partial<ErrorFields> & { detail?: string };

/** The error of a problem document; a proxy in front of the service may have answered with a page instead. */
export function problemError(problem: Problem, { status, headers }: Response): ParleyError {
  const { detail = `The service answered with status ${status}.`, errors } = problem;
  return new ParleyError(detail, {
    status: problem.status ?? status,
    code: problem.code ?? "HTTP_ERROR",
    requestId: problem.requestId ?? headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMs(headers),
    errors,
  });
}

/** The error of an answer that is no success. */
export async function refusal(response: Response): Promise<ParleyError> {
  const problem = (await response.json().catch(() => ({}))) as Problem;
  return problemError(problem, response);
}
