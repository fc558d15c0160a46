/**
 * Headers of every answer of the public listener. Authority comes from the token and the domain check, never from CORS: any origin may
 * read any answer (decisions §5).
 */
const EVERY_ANSWER = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After",
  "X-Content-Type-Options": "nosniff",
};
const ENTRIES = Object.entries(EVERY_ANSWER);

/**
 * Headers of an endpoint's answers, those of every answer among them. To be made once: a table of headers is copied in a
 * fraction of the time that it takes to make one, or to set them one by one.
 */
export function answerHeaders(own: Readonly<Record<string, string>>): Headers {
  return new Headers({ ...EVERY_ANSWER, ...own });
}

/** Puts the headers of every answer onto one that was made without them. */
export function addEveryAnswerHeader(response: Response): Response {
  for (const [name, value] of ENTRIES) response.headers.set(name, value);
  return response;
}
