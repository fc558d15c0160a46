import {
  type EmbedToken,
  type EmbedTokenHash,
  type RandomBytes,
  randomBase62,
  toBase62,
} from "../domain/ids.ts";
import { sha256 } from "../domain/sha256.ts";

/** `embed` tokens stand in pages; `server` tokens are secrets of programs, and refused where a browser sends them (decisions §12). */
export type TokenKind = "embed" | "server";

const PREFIXES: Readonly<Record<TokenKind, string>> = { embed: "parley_et_", server: "parley_st_" };
/** 178 random bits. */
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^parley_[es]t_[0-9A-Za-z]{36}$/;

/** CRC-32 (IEEE 802.3) of everything before it, prefix included, in base62. */
function checksumOf(body: string): string {
  return toBase62(Bun.hash.crc32(body), CHECKSUM_LENGTH);
}

/** A fresh token in the format of decisions §4. */
export function newEmbedToken(randomBytes: RandomBytes, kind: TokenKind = "embed"): EmbedToken {
  const body = PREFIXES[kind] + randomBase62(RANDOM_LENGTH, randomBytes);
  return (body + checksumOf(body)) as EmbedToken;
}

/** The token of either kind that `text` is, exactly; undefined when its shape or checksum is wrong. */
export function parseEmbedToken(text: string): EmbedToken | undefined {
  if (!SHAPE.test(text)) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksumOf(body) ? (text as EmbedToken) : undefined;
}

export function kindOfToken(token: EmbedToken): TokenKind {
  return token.startsWith(PREFIXES.server) ? "server" : "embed";
}

export function hashEmbedToken(embedToken: EmbedToken): EmbedTokenHash {
  return sha256(embedToken) as Uint8Array as EmbedTokenHash;
}
