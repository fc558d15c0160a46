import { createHmac, timingSafeEqual } from "node:crypto";

/** @param headers of the request, in lower case @param body as it came, before it is parsed */
export function isFromParley(headers, body, secret) {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": given = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false; // sent again by somebody
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const made = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest();
  return given.split(" ").some((each) => {
    const mac = Buffer.from(each.replace(/^v1,/, ""), "base64");
    return mac.length === made.length && timingSafeEqual(mac, made);
  });
}
