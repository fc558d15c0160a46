import type { EmbedToken, EmbedTokenHash, RandomBytes } from "../domain/ids.ts";
import { sha256 } from "../domain/sha256.ts";
import { isChecksummed, newChecksummed } from "./checksummed.ts";

const PREFIX = "parley_et_";

/** A fresh embed token in the format of decisions §4. */
export function newEmbedToken(randomBytes: RandomBytes): EmbedToken {
  return newChecksummed(PREFIX, randomBytes) as EmbedToken;
}

/** The embed token that `text` is, exactly; undefined when its shape or checksum is wrong. */
export function parseEmbedToken(text: string): EmbedToken | undefined {
  return isChecksummed(PREFIX, text) ? (text as EmbedToken) : undefined;
}

export function hashEmbedToken(embedToken: EmbedToken): EmbedTokenHash {
  return sha256(embedToken) as Uint8Array as EmbedTokenHash;
}
