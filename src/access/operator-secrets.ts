import { type RandomBytes, randomBase62, toBase62 } from "../domain/ids.ts";
import { sha256 } from "../domain/sha256.ts";
import { isChecksummed, newChecksummed } from "./secrets.ts";

const KEY_PREFIX = "parley_op_";
/** 256 random bits: of links and sessions. */
const SECRET_LENGTH = 43;
const SECRET = /^[0-9A-Za-z]{43}$/;

/** A fresh key for scripts. */
export function newOperatorKey(randomBytes: RandomBytes): string {
  return newChecksummed(KEY_PREFIX, randomBytes);
}

/** Whether `text` is a key in its shape and its checksum; whether it was issued is the store's to say. */
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

/** The only form in which keys, links and sessions are stored: all of them are random, so that a plain hash is enough. */
export function hashOperatorSecret(secret: string): Uint8Array {
  return sha256(secret);
}
