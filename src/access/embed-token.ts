import {
  type EmbedToken,
  type EmbedTokenHash,
  type RandomBytes,
  randomBase62,
  toBase62,
} from "../domain/ids.ts";
import { sha256 } from "../domain/sha256.ts";

const PREFIX = "parley_et_";
/** 178 random bits. */
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^parley_et_[0-9A-Za-z]{36}$/;

/** CRC-32 (IEEE 802.3) of everything before it, prefix included, in base62. */
function checksumOf(body: string): string {
  return toBase62(Bun.hash.crc32(body), CHECKSUM_LENGTH);
}

/** A fresh embed token in the format of decisions §4. */
export function newEmbedToken(randomBytes: RandomBytes): EmbedToken {
  const body = PREFIX + randomBase62(RANDOM_LENGTH, randomBytes);
  return (body + checksumOf(body)) as EmbedToken;
}

/** The embed token that `text` is, exactly; undefined when its shape or checksum is wrong. */
export function parseEmbedToken(text: string): EmbedToken | undefined {
  if (!SHAPE.test(text)) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksumOf(body) ? (text as EmbedToken) : undefined;
}

export function hashEmbedToken(embedToken: EmbedToken): EmbedTokenHash {
  return sha256(embedToken) as Uint8Array as EmbedTokenHash;
}
