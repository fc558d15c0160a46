import { expect, test } from "bun:test";

import { recipientsOf } from "../../../../src/chat/notices/recipients.ts";
import { DELIVERY_EVENTS } from "../../../../src/domain/delivery.ts";
import type { DeliveryId } from "../../../../src/domain/ids.ts";
import { SecretUrl } from "../../../../src/domain/secret-url.ts";
import { botWith } from "../../../support/bots.ts";

const hook = { url: new SecretUrl("https://crm.example/"), secretEnv: "CRM" };
const bot = botWith({ id: "shop", handoff: { webhook: "mine", email: "team@shop.example" } });

function told(webhooks: Parameters<typeof recipientsOf>[0]["webhooks"]) {
  const parts = { webhooks, sendsMail: true, newDeliveryId: () => "dl" as DeliveryId };
  return DELIVERY_EVENTS.map(
    (event) => [event, ...recipientsOf(parts, bot, event).map(({ target }) => target)] as string[],
  );
}

test("a webhook that names no events is told of none that comes with many a message; mail, of hand-offs alone", () => {
  expect(told({ crm: hook })).toEqual([
    ["handoff.requested", "crm", "team@shop.example"],
    ["feedback.given", "crm"],
    ["cap.near", "crm"],
    ["turn.refused"],
    ["turn.unmatched"],
    ["action.done"],
    ["action.failed"],
  ]);
});

test("one that names events is told of these; what the bot file names, of hand-offs besides", () => {
  const events = ["turn.refused" as const];
  expect(
    told({ mine: { ...hook, events }, other: { ...hook, events, bots: ["help" as typeof bot.id] } }),
  ).toEqual([
    ["handoff.requested", "mine", "team@shop.example"],
    ["feedback.given"],
    ["cap.near"],
    ["turn.refused", "mine"],
    ["turn.unmatched"],
    ["action.done"],
    ["action.failed"],
  ]);
});
