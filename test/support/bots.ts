import type { BotDocument } from "../../src/domain/bot.ts";

/** A shop with one intent of every standing: allowed, denied, and in neither list. */
export function shopBot(overrides: Partial<BotDocument> = {}): BotDocument {
  return {
    id: "shop",
    name: "Shop",
    allowedDomains: ["*"],
    intents: [
      {
        name: "orders.status",
        label: "the state of an order",
        examples: ["where is my order", "track my parcel please", "when will my package arrive"],
        responses: ["It is on its way.", "{botName} sent it yesterday."],
      },
      {
        name: "account.delete",
        examples: ["delete my account", "erase all of my data", "remove my profile for good"],
        responses: ["Deleted!"],
      },
      {
        name: "jokes.tell",
        examples: ["tell me a joke", "make me laugh", "say something funny"],
        responses: ["Knock, knock."],
      },
    ],
    capabilityProfile: {
      allow: ["orders.*"],
      deny: ["account.delete"],
      refusals: {
        DENY_LIST: "That is not for a bot to do.",
        NOT_IN_ALLOW_LIST: "Orders only, please.",
        no_intent_match: "Please say that in other words.",
      },
    },
    ...overrides,
  };
}

/** A bot whose only intent answers `response`, which its output schema judges. */
export function kioskBot(response: string, overrides: Partial<BotDocument> = {}): BotDocument {
  return {
    id: "kiosk",
    name: "Kiosk",
    allowedDomains: ["*"],
    intents: [
      { name: "opening.hours", examples: ["when are you open", "opening hours"], responses: [response] },
    ],
    outputSchema: {
      type: "object",
      required: ["hours"],
      properties: { hours: { type: "string" } },
      additionalProperties: false,
    },
    fallbackResponse: '{"hours":"unknown"}',
    ...overrides,
  };
}
