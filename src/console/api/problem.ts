/** A request that did not lead to what it asked for: the server's problem document, or that there was no answer at all. */
export class Problem extends Error {
  /** 0: the server could not be reached. */
  readonly status: number;
  /** As `STORAGE_UNAVAILABLE`; `OFFLINE` where the server could not be reached. */
  readonly code: string;
  readonly requestId: string | undefined;
  /** Mistakes in a body, by JSON Pointer. */
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

/** The problem that an answer which is no success tells of; proxies in between may answer with something else. */
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

/** Nobody answered. */
export function offlineProblem(): Problem {
  return new Problem({ status: 0, code: "OFFLINE", detail: "Parley does not respond." });
}
