import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import ipaddr from "ipaddr.js";

/** One request with its limits. */
export interface GetOrder {
  url: URL;
  /** The checked addresses; no other is connected to. */
  addresses: readonly string[];
  headers?: Readonly<Record<string, string>>;
  maxBytes: number;
  /** Whether a longer body is cut instead of refused. */
  cutsBody?: boolean;
  timeoutMs: number;
}

/** A server's response. */
export interface GetReply {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** Decompressed; empty if the status is no success. */
  body: Uint8Array;
}

/** A request failed. The message says why, and begins in lower case. */
export class GetError extends Error {
  override name = "GetError";
}

/**
 * Sends one GET to one of the addresses, with the name in `Host` and in TLS. Redirects are not followed.
 *
 * @throws GetError if there is no answer in time, or it is too large
 */
export async function httpGet(order: GetOrder): Promise<GetReply> {
  const { url, timeoutMs } = order;
  const headers = { "Accept-Encoding": "gzip", ...order.headers };
  const request = requestTo(url, order.addresses, { method: "GET", headers });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    request.destroy();
  }, timeoutMs);
  try {
    const response = await responseTo(request);
    const status = response.statusCode ?? 0;
    const isSuccess = status >= 200 && status < 300;
    const body = isSuccess ? await readBody(response, order) : new Uint8Array();
    // A body without a length ends with its connection, even if the connection was closed here.
    if (isLate) throw new Error("late");
    return { status, headers: response.headers, body };
  } catch (error) {
    if (error instanceof GetError) throw error;
    throw new GetError(
      isLate ? `no answer within ${timeoutMs / 1000} s` : `no connection (${codeOf(error)})`,
    );
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}

/** A request to the checked addresses, still to be sent, with the name of the URL in `Host` and in TLS. */
export function requestTo(
  url: URL,
  addresses: readonly string[],
  { method, headers }: { method: string; headers: Readonly<Record<string, string>> },
): http.ClientRequest {
  return (url.protocol === "https:" ? https : http).request(url, {
    method,
    // A kept connection would be reused by name, although the address may have changed since the check.
    agent: false,
    headers,
    lookup: lookupOf(addresses),
  });
}

/** Resolves every name to the checked addresses. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({
    address,
    family: ipaddr.parse(address).kind() === "ipv6" ? 6 : 4,
  }));
  return (_name, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/** Sends a request. */
export function responseTo(request: http.ClientRequest, body?: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
    request.on("close", () => reject(new Error("closed")));
    request.end(body);
  });
}

async function readBody(response: http.IncomingMessage, order: GetOrder): Promise<Uint8Array> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (!["identity", "gzip", "x-gzip", ""].includes(encoding.toLowerCase()))
    throw new GetError(`its content encoding \`${encoding}\` was not asked for`);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > order.maxBytes) break;
  }
  const bytes = withinBounds(Buffer.concat(chunks), order);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpack(bytes, order) : bytes;
}

function withinBounds(bytes: Buffer, { maxBytes, cutsBody }: GetOrder): Buffer {
  if (bytes.length <= maxBytes) return bytes;
  if (cutsBody === true) return bytes.subarray(0, maxBytes);
  throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): GetError {
  return new GetError(`is larger than ${Math.round(maxBytes / 1e6)} MB`);
}

/** By the first bytes: sitemaps are often compressed files, without a `Content-Encoding`. */
async function unpack(bytes: Buffer, { maxBytes }: GetOrder): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    throw new GetError("cannot be unpacked: it is not a complete gzip file");
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : error instanceof Error ? error.message : "unknown";
}
