import { eventsOf, type Webhooks } from "../../config/webhooks.ts";
import type { BotDocument } from "../../domain/bot.ts";
import type { DeliveryEvent, NewDelivery } from "../../domain/delivery.ts";
import type { DeliveryId } from "../../domain/ids.ts";

/** The parts that determine the recipients of notices. */
export interface RecipientParts {
  webhooks: Webhooks;
  /** Whether there is a mail server. */
  sendsMail: boolean;
  newDeliveryId: () => DeliveryId;
}

/**
 * The recipients of a bot's event: the configured webhooks that take it, and for a hand-off also the webhook and the
 * address of the bot file.
 */
export function recipientsOf(
  { webhooks, sendsMail, newDeliveryId }: RecipientParts,
  { id, handoff }: Pick<BotDocument, "id" | "handoff">,
  event: DeliveryEvent,
): NewDelivery[] {
  const isHandoff = event === "handoff.requested";
  const names = Object.entries(webhooks).flatMap(([name, webhook]) => {
    const takesBot = webhook.bots?.includes(id) ?? true;
    const isNamed = isHandoff && handoff?.webhook === name;
    return isNamed || (takesBot && eventsOf(webhook).includes(event)) ? [name] : [];
  });
  const address = isHandoff && sendsMail ? handoff?.email : undefined;
  return [
    ...names.map((target) => ({ channel: "webhook" as const, target })),
    ...(address === undefined ? [] : [{ channel: "mail" as const, target: address }]),
  ].map((target) => ({ ...target, id: newDeliveryId(), event }));
}
