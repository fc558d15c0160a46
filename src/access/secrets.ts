import {
  type EmbedToken,
  type EmbedTokenHash,
  randomBase62,
  type RandomBytes,
  toBase62,
} from "../domain/ids.ts";
import { sha256 } from "../domain/sha256.ts";
import type { EpochMs } from "../domain/time.ts";

/** 178 random bits. */
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
/** The random part and the checksum. */
const AFTER_PREFIX = /^[0-9A-Za-z]{36}$/;

/** CRC-32 (IEEE 802.3) of the prefix and the random part, in base62. */
function checksumOf(body: string): string {
  return toBase62(Bun.hash.crc32(body), CHECKSUM_LENGTH);
}

/** A fresh secret: its prefix, 30 random base62 characters, and a checksum of six, which finds typing errors without asking the database. */
export function newChecksummed(prefix: string, randomBytes: RandomBytes): string {
  const body = prefix + randomBase62(RANDOM_LENGTH, randomBytes);
  return body + checksumOf(body);
}

/** Whether `text` has the shape and the checksum of a secret with this prefix. Whether it was issued, only the store knows. */
export function isChecksummed(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || !AFTER_PREFIX.test(text.slice(prefix.length))) return false;
  return text.slice(-CHECKSUM_LENGTH) === checksumOf(text.slice(0, -CHECKSUM_LENGTH));
}

const MAX_HEADER_LENGTH = 1024;
const BEARER = /^[ \t]*bearer +([A-Za-z0-9._~+/-]+=*)[ \t]*$/i;

/**
 * The credentials of an `Authorization: Bearer …` header (RFC 6750 §2.1, RFC 9110 §11.4): scheme in any case, then spaces,
 * then one token68. Undefined for another scheme, two values in one header, or more than 1,024 characters.
 */
export function parseBearer(header: string | null | undefined): string | undefined {
  if (header == null || header.length > MAX_HEADER_LENGTH) return undefined;
  return BEARER.exec(header)?.[1];
}

/** `embed` tokens are public, in the source of pages. `server` tokens are secrets of programs, and are refused if a browser sends them. */
export type TokenKind = "embed" | "server";

const PREFIXES: Readonly<Record<TokenKind, string>> = { embed: "parley_et_", server: "parley_st_" };

/** A fresh token. */
export function newEmbedToken(randomBytes: RandomBytes, kind: TokenKind = "embed"): EmbedToken {
  return newChecksummed(PREFIXES[kind], randomBytes) as EmbedToken;
}

/** The token of either kind that `text` is, exactly; undefined when its shape or checksum is wrong. */
export function parseEmbedToken(text: string): EmbedToken | undefined {
  return Object.values(PREFIXES).some((prefix) => isChecksummed(prefix, text))
    ? (text as EmbedToken)
    : undefined;
}

export function kindOfToken(token: EmbedToken): TokenKind {
  return token.startsWith(PREFIXES.server) ? "server" : "embed";
}

export function hashEmbedToken(embedToken: EmbedToken): EmbedTokenHash {
  return sha256(embedToken) as Uint8Array as EmbedTokenHash;
}

/** Whether an embed token may be used at an instant, and if not, why. */
export function embedTokenState(
  { revokedAt, expiresAt }: { revokedAt?: EpochMs | undefined; expiresAt?: EpochMs | undefined },
  now: EpochMs,
): "active" | "expired" | "revoked" {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && expiresAt <= now ? "expired" : "active";
}

const KEY_PREFIX = "parley_op_";
/** 256 random bits: of links and sessions. */
const SECRET_LENGTH = 43;
const SECRET = /^[0-9A-Za-z]{43}$/;

/** A fresh key for scripts. */
export function newOperatorKey(randomBytes: RandomBytes): string {
  return newChecksummed(KEY_PREFIX, randomBytes);
}

/** Whether `text` is a key in its shape and its checksum; only the store knows whether it was issued. */
export function isOperatorKey(text: string): boolean {
  return isChecksummed(KEY_PREFIX, text);
}

/** Names a key without revealing it. */
export function newOperatorKeyId(nowMs: number, randomBytes: RandomBytes): string {
  return `ok_${toBase62(nowMs, 9)}${randomBase62(6, randomBytes)}`;
}

/** The secret of a one-time link, or the id of a session. */
export function newOperatorSecret(randomBytes: RandomBytes): string {
  return randomBase62(SECRET_LENGTH, randomBytes);
}

/** Whether `text` is a secret in its shape. */
export function isOperatorSecret(text: string): boolean {
  return SECRET.test(text);
}

/** Keys, links and sessions are stored only as this hash. They are random, so that a hash without salt is enough. */
export function hashOperatorSecret(secret: string): Uint8Array {
  return sha256(secret);
}
