import type http from "node:http";

import { type CallFault } from "../domain/action.ts";
import { requestTo, responseTo } from "../knowledge/sources/fetch/http-get.ts";
import { reachHost, type Resolve } from "../knowledge/sources/fetch/public-address.ts";
import type { ActionRequest } from "./build-request.ts";
import type { EndpointAnswer } from "./word-answer.ts";

/** Maximum size of a response in bytes, uncompressed. */
export const MAX_ANSWER_BYTES = 256 * 1024;

/** The result of a request. `not-done`: it did not reach the endpoint; `unknown`: it may or may not have been carried out. */
export type SentOutcome =
  | { kind: "answered"; answer: EndpointAnswer }
  | { kind: "not-done"; fault: CallFault }
  | { kind: "unknown"; fault: CallFault };

/** A request with its destination. */
export interface RequestOrder {
  /** Without a slash at its end. */
  url: string;
  request: ActionRequest;
  headers: Readonly<Record<string, string>>;
  allowPrivate: boolean;
  resolve: Resolve;
  /** Aborts at the timeout. */
  late: AbortSignal;
}

/**
 * Sends one request to the host's checked address, and reads its JSON. Redirects are not followed, connections not reused, and compressed
 * bodies not decoded. Never rejects because of the endpoint.
 */
export async function sendRequest(order: RequestOrder): Promise<SentOutcome> {
  const { request, late } = order;
  const url = new URL(order.url + request.path + (request.query === "" ? "" : `?${request.query}`));
  const reach = await reachInTime(url, order);
  if (typeof reach === "string") return { kind: "not-done", fault: reach };
  const sent = requestTo(url, reach, { method: request.method, headers: order.headers });
  const stop = () => sent.destroy();
  late.addEventListener("abort", stop, { once: true });
  try {
    const response = await responseTo(sent, request.body);
    return { kind: "answered", answer: await readAnswer(response, late) };
  } catch (error) {
    if (late.aborted) return { kind: "unknown", fault: "timeout" };
    return isUnreached(error)
      ? { kind: "not-done", fault: "not-reached" }
      : { kind: "unknown", fault: "broken" };
  } finally {
    late.removeEventListener("abort", stop);
    sent.destroy();
  }
}

/** The allowed addresses, or the reason why there is none. */
async function reachInTime(
  url: URL,
  { allowPrivate, resolve, late }: RequestOrder,
): Promise<readonly string[] | CallFault> {
  const allowedHosts = new Set(allowPrivate ? [url.hostname] : []);
  const found = await Promise.race([
    reachHost(url, { allowedHosts, resolve }),
    new Promise<"late">((done) => {
      if (late.aborted) done("late");
      late.addEventListener("abort", () => done("late"), { once: true });
    }),
  ]);
  if (found === "late") return "timeout";
  if (found.ok) return found.addresses;
  return found.reason.includes("private address") ? "private-address" : "not-reached";
}

/** Codes of errors before anything was sent: in name resolution, connection or TLS. */
const UNREACHED =
  /^(?:ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ERR_TLS_.*|CERT_.*|.*_CERT|.*CERT_.*|UNABLE_TO_.*|UNKNOWN_CERTIFICATE.*)$/;

function isUnreached(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNREACHED.test(String(error.code));
}

/** Reads the status and the body; an unusable body gives a fault. */
async function readAnswer(response: http.IncomingMessage, late: AbortSignal): Promise<EndpointAnswer> {
  const status = response.statusCode ?? 0;
  const encoding = (response.headers["content-encoding"] ?? "identity").toLowerCase();
  if (encoding !== "identity" && encoding !== "") return { status, fault: "packed" };
  const bytes = await readBytes(response, late);
  if (typeof bytes === "string") return { status, fault: bytes };
  if (bytes.length === 0) return { status };
  try {
    return { status, body: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return { status, fault: "not-json" };
    throw error;
  }
}

async function readBytes(response: http.IncomingMessage, late: AbortSignal): Promise<Buffer | CallFault> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_ANSWER_BYTES) return "too-large";
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return late.aborted ? "timeout" : "broken";
  }
  // A body without a length ends when its connection closes, even if the abort closed it.
  return late.aborted ? "timeout" : Buffer.concat(chunks);
}
