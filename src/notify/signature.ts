import { createHmac } from "node:crypto";

/** The signed data. */
interface Signed {
  id: string;
  now: Date;
  body: string;
}

const PREFIX = "whsec_";

/** Lengths of secrets required by the specification, in bytes. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** The fault of a secret, to follow "the environment variable X "; undefined if there is none. Does not contain the secret. */
export function secretFault(secret: string | undefined): string | undefined {
  if (!secret) return "is not set";
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "";
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded);
  const { length } = Buffer.from(encoded, "base64");
  const isRight = isBase64 && length >= MIN_BYTES && length <= MAX_BYTES;
  return isRight ? undefined : `is not \`${PREFIX}\` and ${MIN_BYTES} to ${MAX_BYTES} bytes in Base64`;
}

/**
 * The signature of a webhook: HMAC-SHA256 of id, seconds and body (Standard Webhooks specification, "Signature scheme").
 *
 * @param secret Base64, with `whsec_` before it or without.
 */
export function signatureOf(secret: string, { id, now, body }: Signed): string {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64");
  const seconds = Math.floor(now.getTime() / 1000);
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}
