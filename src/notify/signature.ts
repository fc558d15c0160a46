import { createHmac } from "node:crypto";

/** What is signed. */
interface Signed {
  id: string;
  now: Date;
  body: string;
}

const PREFIX = "whsec_";

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
