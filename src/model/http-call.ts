import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

import type { EpochMs, Now } from "../domain/time.ts";

/** Calls after the first one to the same server. */
export const MAX_RETRIES = 2;
/** Longest `Retry-After` to wait for while a visitor waits. If a server asks for more, it is not retried, and the next server is tried. */
export const MAX_WAIT_MS = 2500;
const FIRST_BACKOFF_MS = 200;

/** Statuses after which the same request may succeed. */
const TRANSIENT = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

function isTransient(status: number): boolean {
  return TRANSIENT.has(status);
}

/** Milliseconds before retry number `retry` (from 0): doubling, with up to half taken off. `random` is in [0, 1). */
export function backoffMs(retry: number, random: () => number): number {
  return FIRST_BACKOFF_MS * 2 ** retry * (1 - random() / 2);
}

/** Milliseconds that `Retry-After` asks for: seconds, or an HTTP date (RFC 9110 §10.2.3). */
export function parseRetryAfterMs(header: string | null, now: EpochMs): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Why a call failed; contains no address, key or text. */
export interface CallFailure {
  ok: false;
  reason: string;
  /** The server's HTTP status, if it answered. */
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
      // Bun 1.4's fetch decompresses a body without limit, even if it is not read; so it is decoded here, with a limit.
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

/** How long a body can be at most: its `Content-Length`, or infinite if HTTP does not end the body there. */
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

/** None is asked for; some servers and proxies use one all the same. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
  ["zstd", () => createZstdDecompress()],
]);

/**
 * Decodes bytes as far as they are read; when the reader stops, decoding stops.
 *
 * @throws Error when the bytes break off, are not of that encoding, or the encoding is unknown.
 */
function decoded(bytes: AsyncIterable<Uint8Array>, encoding: string | null): AsyncIterable<Uint8Array> {
  const name = (encoding ?? "identity").trim().toLowerCase();
  if (name === "identity" || name === "") return bytes;
  const createDecoder = DECODERS.get(name);
  if (!createDecoder) throw new Error(`the content encoding ${name} is unknown`);
  const decoder = createDecoder();
  // Errors of both streams are thrown where the decoder is read.
  pipeline(Readable.from(bytes, { objectMode: false }), decoder, () => {});
  return decoder;
}
