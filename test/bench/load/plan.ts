/** A request, ready to be written to a socket. */
export interface PlannedRequest {
  /** Request line and headers, each with its line end; where there is a body, all of them but its length. */
  head: string;
  /** A JSON object. */
  body?: string;
}

/** What a load generator plays, always over loopback. */
export interface LoadPlan {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** Sent in turn by whoever is next. */
  requests: readonly PlannedRequest[];
  /** Callers at once, each with a connection of its own; each waits for its answer before it goes on. */
  callers: number;
  seconds: number;
  /** Messages of a conversation: the id that an answer names is sent with another message until there were so many. 1 where absent. */
  turns?: number;
  /** Each caller pauses for a random time before a request, so long on average. */
  pauseMs?: number;
  /** 200 where it is absent. */
  expectedStatus?: number;
}

/** What a load came to. */
export interface LoadResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Cores that the generator used; near a whole one for each of its threads, the generator was the bottleneck. */
  generatorCores: number;
}

/** No run sends more, however fast the server is. */
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

/** The value below which `share` of the sorted values lie. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
