import { MAX_BODY_BYTES } from "./chat-request.ts";

/**
 * Whether a request was answered before a body that is too long to be read and forgotten: more than {@link MAX_BODY_BYTES}, or of
 * unknown length. Its connection is to be closed: Bun would take in the rest for as long as the client sends.
 */
export function leavesLongBody({ headers, bodyUsed }: Request, status: number): boolean {
  if (status === 413) return true;
  if (bodyUsed) return false;
  return Number(headers.get("content-length")) > MAX_BODY_BYTES || headers.has("transfer-encoding");
}
