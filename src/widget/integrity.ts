import { createHash } from "node:crypto";

/** The Subresource Integrity value of a content: SHA-384 in base64. */
export function integrityOf(content: Uint8Array): string {
  return `sha384-${createHash("sha384").update(content).digest("base64")}`;
}
