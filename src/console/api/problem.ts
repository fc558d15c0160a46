/** A failed request: the server's problem document, or a missing response. */
export class Problem extends Error {
  /** 0: the server could not be reached. */
  readonly status: number;
  /** For example `STORAGE_UNAVAILABLE`; `OFFLINE` if the server could not be reached. */
  readonly code: string;
  readonly requestId: string | undefined;
  /** Faults of a request body, by JSON Pointer. */
  readonly faults: readonly { pointer: string; detail: string }[];

  constructor(document: ProblemDocument) {
    super(document.detail);
    this.status = document.status;
    this.code = document.code;
    this.requestId = document.requestId;
    this.faults = document.errors ?? [];
  }
}

interface ProblemDocument {
  status: number;
  code: string;
  detail: string;
  requestId?: string;
  errors?: readonly { pointer: string; detail: string }[];
}

/** Reads the problem of an unsuccessful response. A proxy in between may have sent something other than a problem document. */
export async function problemOf(response: Response): Promise<Problem> {
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json") === true;
  if (isProblem) return new Problem((await response.json()) as ProblemDocument);
  return new Problem({
    status: response.status,
    code: "UNEXPECTED_ANSWER",
    detail: `The answer (status ${response.status}) did not come from Parley. Check the proxy in front of it.`,
    ...(requestId !== undefined && { requestId }),
  });
}

/**
 * Handles a rejection: a problem of a status gets a better explanation.
 *
 * @param explain asks for it; if that fails, or for any other error, the error is thrown as it is.
 */
export function rethrow(status: number, explain: () => Promise<string>): (thrown: unknown) => Promise<never> {
  return async (thrown) => {
    if (!(thrown instanceof Problem) || thrown.status !== status) throw thrown;
    // The first problem is true without the explanation.
    const detail = await explain().catch(() => thrown.message);
    const { code, requestId } = thrown;
    throw new Problem({ status, code, detail, ...(requestId !== undefined && { requestId }) });
  };
}

/** The server did not respond. */
export function offlineProblem(): Problem {
  return new Problem({ status: 0, code: "OFFLINE", detail: "Parley does not respond." });
}
