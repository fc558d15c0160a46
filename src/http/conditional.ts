/** A 304 with these headers if the request's ETag matches (RFC 9110 §13.1.2). */
export function notModified(
  request: Request,
  etag: string,
  headers: Headers | Readonly<Record<string, string>>,
): Response | undefined {
  const condition = request.headers.get("if-none-match");
  if (condition === null) return undefined;
  const names = condition.split(",").map((name) => name.trim().replace(/^W\//, ""));
  if (condition.trim() !== "*" && !names.includes(etag)) return undefined;
  return new Response(null, { status: 304, headers });
}
