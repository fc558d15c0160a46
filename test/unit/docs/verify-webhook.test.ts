import { expect, test } from "bun:test";
import { join } from "node:path";

import { signatureOf } from "../../../src/notify/signature.ts";
import { ROOT } from "../../support/docs.ts";
import { WEBHOOK_SECRET } from "../../support/webhook-receiver.ts";

interface Example {
  isFromParley: (headers: Record<string, string>, body: string, secret: string) => boolean;
}

test("the example takes what Parley signs, and nothing that was changed, is old, or was signed by another", async () => {
  const { isFromParley } = (await import(join(ROOT, "docs/examples/verify-webhook.mjs"))) as Example;
  const body = '{"type":"handoff.requested"}';
  const signed = (now: Date, secret = WEBHOOK_SECRET) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signatureOf(secret, { id: "msg_1", now, body }),
  });
  const headers = signed(new Date());
  expect(isFromParley(headers, body, WEBHOOK_SECRET)).toBe(true);
  const rotated = { ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` };
  expect(isFromParley(rotated, body, WEBHOOK_SECRET)).toBe(true);
  expect(isFromParley(headers, `${body} `, WEBHOOK_SECRET)).toBe(false);
  expect(isFromParley({ ...headers, "webhook-id": "msg_2" }, body, WEBHOOK_SECRET)).toBe(false);
  expect(isFromParley(signed(new Date(0)), body, WEBHOOK_SECRET)).toBe(false);
  expect(isFromParley({}, body, WEBHOOK_SECRET)).toBe(false);
  const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  expect(isFromParley(signed(new Date(), other), body, WEBHOOK_SECRET)).toBe(false);
});
