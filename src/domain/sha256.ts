import { hash } from "node:crypto";

/** The SHA-256 of text in UTF-8: 32 bytes. */
export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
