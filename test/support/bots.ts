import type { BotDocument, BotIntent } from "../../src/domain/bot.ts";
import type { BotId, IntentName } from "../../src/domain/ids.ts";
import { shapeProblems } from "../../src/seed/shape-problems.ts";

type Written<Parsed> = Parsed extends BotId | IntentName
  ? string
  : Parsed extends readonly (infer Item)[]
    ? Written<Item>[]
    : Parsed extends object
      ? { [Key in keyof Parsed]: Written<Parsed[Key]> }
      : Parsed;

/** An intent as in a bot file: names are plain texts. */
export type WrittenIntent = Written<BotIntent>;

/** Fields of a bot as in a bot file. */
export type WrittenFields = Partial<Written<BotDocument>>;

/** A minimal bot with `fields`. @throws if the result is not a valid bot. */
export function botWith(fields: WrittenFields = {}): BotDocument {
  const document: unknown = { id: "acme", name: "Acme", allowedDomains: [], ...fields };
  const [problem] = shapeProblems(document);
  if (problem === undefined) return document as BotDocument;
  throw new Error(`no bot: ${problem.pointer}: ${problem.message}`);
}

/** A shop with one intent of each standing: allowed, denied, and in neither list. */
export function shopBot(overrides: WrittenFields = {}): BotDocument {
  return botWith({
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
  });
}

/** A bot with a single intent, which answers `response` under an output schema. */
export function kioskBot(response: string, overrides: WrittenFields = {}): BotDocument {
  return botWith({
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
  });
}
