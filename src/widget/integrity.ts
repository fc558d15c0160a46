import { createHash } from "node:crypto";

/** Names a content as Subresource Integrity does: SHA-384, in base64. */
export function integrityOf(content: Uint8Array): string {
  return `sha384-${createHash("sha384").update(content).digest("base64")}`;
}
