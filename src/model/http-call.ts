import type { Now } from "../domain/time.ts";
import { decoded } from "./content-encoding.ts";
import { isTransient, parseRetryAfterMs } from "./retry.ts";

/** Why a call brought nothing; holds neither address nor key nor text. */
export interface CallFailure {
  ok: false;
  reason: string;
  /** The server's HTTP status, where it answered. */
  status?: number;
  /** The same call may succeed: it failed before the first byte of an answer. */
  isRetryable: boolean;
  retryAfterMs?: number;
}

export type CallResult<Value> = { ok: true; value: Value } | CallFailure;

/** A server's URL with its key. */
export interface ServerAddress {
  baseUrl: string;
  apiKey?: string;
}

/** Sends one request. Redirects are not followed: they would carry the key elsewhere. */
export async function callServer(
  { baseUrl, apiKey }: ServerAddress,
  { path, body, accept = "application/json" }: { path: string; body?: unknown; accept?: string },
  { signal, now }: { signal: AbortSignal; now: Now },
): Promise<CallResult<Response>> {
  let response: Response;
  try {
    response = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? "GET" : "POST",
      // Decoded here, where there is a limit: the fetch of Bun 1.4 unpacks a body as fast as it comes, whether or not anybody reads it.
      decompress: false,
      headers: {
        Accept: accept,
        "Accept-Encoding": "identity",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "manual",
      signal,
    });
  } catch (error) {
    return { ok: false, reason: `no connection (${codeOf(error)})`, isRetryable: true };
  }
  if (response.ok) return { ok: true, value: response };
  return statusFailure(response, now);
}

/** The body, decoded. @throws OversizedReplyError when it is larger before or after; Error when it breaks off, or cannot be decoded */
export async function* boundedBytes(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  const sent = bounded(response.body ?? [], maxBytes);
  yield* bounded(decoded(sent, response.headers.get("content-encoding")), maxBytes);
}

async function* bounded(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new OversizedReplyError();
    yield chunk;
  }
}

/** The server's answer is larger than any completion. */
export class OversizedReplyError extends Error {
  override name = "OversizedReplyError";
}

/** The body as text. @throws OversizedReplyError; Error when it breaks off */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (announcedBytes(response) <= maxBytes) return response.text();
  const chunks: Uint8Array[] = [];
  for await (const chunk of boundedBytes(response, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** How long a body can be at most: its `Content-Length`, or infinite where HTTP does not end the body there. */
function announcedBytes({ headers }: Response): number {
  const length = headers.get("content-length");
  const isFramedByLength = !headers.has("transfer-encoding") && !headers.has("content-encoding");
  return length !== null && isFramedByLength ? Number(length) : Infinity;
}

/** The failure of a body that could not be read completely. */
export function bodyFailure(error: unknown): CallFailure {
  const reason =
    error instanceof OversizedReplyError
      ? "the answer is too large"
      : `the answer broke off (${codeOf(error)})`;
  return { ok: false, reason, isRetryable: false };
}

async function statusFailure(response: Response, now: Now): Promise<CallFailure> {
  const { status } = response;
  // The body is dropped unread: it may repeat the prompt. Cancelling it frees the connection.
  await response.body?.cancel();
  const retryAfterMs = parseRetryAfterMs(response.headers.get("retry-after"), now());
  return {
    ok: false,
    reason: `status ${status}`,
    status,
    isRetryable: isTransient(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : error instanceof Error ? error.name : "unknown";
}
