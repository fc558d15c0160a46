import { randomBase62, type RandomBytes, toBase62 } from "../domain/ids.ts";

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
