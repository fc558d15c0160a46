/** Milliseconds that a `Retry-After` header in seconds asks for; undefined where there is none. */
export function retryAfterMs(headers: Headers): number | undefined {
  return Number.parseInt(headers.get("retry-after") ?? "") * 1000 || undefined;
}
