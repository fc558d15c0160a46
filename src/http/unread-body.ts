import { MAX_BODY_BYTES } from "./chat-request.ts";

/**
 * Whether the request was answered before its long body was read: more than {@link MAX_BODY_BYTES}, or of unknown length. The connection
 * then has to be closed, because Bun would receive the rest as long as the client sends.
 */
export function leavesLongBody({ headers, bodyUsed }: Request, status: number): boolean {
  if (status === 413) return true;
  if (bodyUsed) return false;
  return Number(headers.get("content-length")) > MAX_BODY_BYTES || headers.has("transfer-encoding");
}
