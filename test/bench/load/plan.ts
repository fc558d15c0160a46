/** A request, ready to be written to a socket. */
export interface PlannedRequest {
  /** Request line and headers, each with its line end; with a body, without the header of its length. */
  head: string;
  /** A JSON object. */
  body?: string;
}

/** The plan of a load generator, always over loopback. */
export interface LoadPlan {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** Requests, which callers send in turn. */
  requests: readonly PlannedRequest[];
  /** Concurrent callers, each with its own connection; each waits for its answer before the next request. */
  callers: number;
  seconds: number;
  /** Messages of a conversation: an answer's id is sent with the next message until there are so many. Default 1. */
  turns?: number;
  /** Mean of the random pause of each caller before a request. */
  pauseMs?: number;
  /** Default 200. */
  expectedStatus?: number;
}

/** The results of a load. */
export interface LoadResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Cores that the generator used; near one for each of its threads, the generator was the bottleneck. */
  generatorCores: number;
}

/** Maximum number of requests of a run, however fast the server is. */
export const MAX_REQUESTS = 2_000_000;

/** A request without a body. */
export function plannedGet(origin: string, path: string): PlannedRequest {
  return { head: `GET ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n` };
}

/** A request with a JSON body. */
export function plannedPost(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): PlannedRequest {
  const all = { Host: new URL(origin).host, "Content-Type": "application/json", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return { head: `POST ${path} HTTP/1.1\r\n${lines.join("")}`, body: JSON.stringify(body) };
}

/** The value below which `share` of the sorted values lie; NaN without values. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
