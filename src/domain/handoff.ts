import { type Static, Type } from "@sinclair/typebox";

import { named, namedStrict, oneOf, optionalFlag, strict, textUpTo } from "./schemas.ts";

/** When a visitor is offered a person. */
export const HANDOFF_OFFERS = ["refused", "not_understood_twice", "cap", "asked"] as const;
export const HandoffOffer = oneOf(HANDOFF_OFFERS);
export type HandoffOffer = Static<typeof HandoffOffer>;

/** Fields that a visitor may be asked for. */
export const HANDOFF_FIELDS = ["name", "email", "phone", "message"] as const;
export const HandoffField = oneOf(HANDOFF_FIELDS);
export type HandoffField = Static<typeof HandoffField>;

/** Fields of the form if the bot file names none. */
export const DEFAULT_HANDOFF_FIELDS: readonly HandoffField[] = ["name", "email", "message"];

/** `Mo-Fr 09:00-17:30`, `Samstag 10:00-14:00`: days, then times of that day in the time zone that is named. Which names are days: `plainOpening`. */
export const OPENING_PATTERN =
  "^[^\\s\\d-]{1,20}(-[^\\s\\d-]{1,20})? ([01]\\d|2[0-3]):[0-5]\\d-(([01]\\d|2[0-3]):[0-5]\\d|24:00)$";

export const EMAIL_PATTERN = '^[^\\s@<>,;:"]{1,64}@[^\\s@<>,;:"]{1,255}$';

/** Names of webhooks. */
export const WEBHOOK_NAME_PATTERN = "^[a-z0-9]+([._-][a-z0-9]+)*$";

/** `handoff` of a bot file: how a conversation comes to a person. */
export const HandoffSettings = namedStrict("HandoffSettings", {
  offer: Type.Optional(
    Type.Array(HandoffOffer, {
      uniqueItems: true,
      description:
        "When the visitor is offered a person: refused, not_understood_twice, cap, asked (the visitor asks for one, or for an intent with `handoff: true`); absent: all of them",
    }),
  ),
  fields: Type.Optional(
    Type.Array(HandoffField, {
      minItems: 1,
      uniqueItems: true,
      description: "What the form asks for (default: name, email, message)",
    }),
  ),
  email: Type.Optional(
    Type.String({
      pattern: EMAIL_PATTERN,
      description:
        "Address that is notified of hand-offs by e-mail; the mail server is set in the server's configuration",
    }),
  ),
  webhook: Type.Optional(
    Type.String({
      pattern: WEBHOOK_NAME_PATTERN,
      maxLength: 100,
      description: "Name of a webhook of the server's configuration that is notified of hand-offs",
    }),
  ),
  live: optionalFlag("Whether operators may take a conversation over and write in it (default true)"),
  hours: Type.Optional(
    Type.Object(
      {
        timezone: textUpTo(64, "As `Europe/Berlin`"),
        open: Type.Array(
          Type.String({
            pattern: OPENING_PATTERN,
            description:
              "As `Mo-Fr 09:00-17:30`; days are Mo, Tu, We, Th, Fr, Sa, Su, or named in the bot's language",
          }),
          {
            minItems: 1,
            maxItems: 20,
          },
        ),
      },
      { ...strict, description: "When people are there; the form says so outside of them" },
    ),
  ),
});
export type HandoffSettings = Static<typeof HandoffSettings>;

/** Whether a bot offers a person in such a case. Pure. */
export function offersPersonWhen(handoff: HandoffSettings | undefined, when: HandoffOffer): boolean {
  return handoff !== undefined && (handoff.offer ?? HANDOFF_OFFERS).includes(when);
}

const FieldText = (description: string, maxLength: number) =>
  Type.Optional(Type.String({ maxLength, description }));

/** Characters of a message. */
const LONGEST_MESSAGE = 4000;
/** Maximum length of a hand-off's messages together: enough for additions, too little to fill a disk. */
export const LONGEST_MESSAGES = 4 * LONGEST_MESSAGE;

/** Body of POST /handoff. Unknown fields are ignored. */
export const HandoffRequest = named("HandoffRequest", {
  botId: Type.String({ minLength: 1, description: "The agent ID" }),
  conversationId: Type.Optional(
    Type.String({ description: "The conversation that goes to a person; absent: a new one" }),
  ),
  name: FieldText("What to call the visitor", 200),
  email: FieldText("Where to answer: an address with something before and after its `@`, and no space", 320),
  phone: FieldText("Where to call: with a digit at least", 50),
  message: FieldText("What it is about", LONGEST_MESSAGE),
  shareTranscript: optionalFlag("Whether the person may read the conversation (default false)"),
});
export type HandoffRequest = Static<typeof HandoffRequest>;

/** A visitor's entries, including later additions. */
export const HandoffFields = Type.Object({
  ...Type.Pick(HandoffRequest, ["name", "email", "phone"]).properties,
  message: FieldText("What it is about; a blank line separates later additions", LONGEST_MESSAGES),
});
export type HandoffFields = Static<typeof HandoffFields>;

/** `open`: no operator has answered yet; `live`: an operator is writing in the conversation; `closed`: done. */
export const HANDOFF_STATES = ["open", "live", "closed"] as const;
export const HandoffState = oneOf(HANDOFF_STATES);
export type HandoffState = Static<typeof HandoffState>;

/** 200 body of POST /handoff. */
export const HandoffResponse = named("HandoffResponse", {
  handoffId: Type.String(),
  conversationId: Type.String({ description: "Conversation ID to use for follow-up messages" }),
  state: HandoffState,
  isNew: Type.Boolean({
    description: "false: the conversation had a hand-off already, to which these values were added",
  }),
});
export type HandoffResponse = Static<typeof HandoffResponse>;

/** Milliseconds after an operator's last message until the bot answers again, unless the operator returns the conversation earlier. */
export const LIVE_MS = 15 * 60_000;

/**
 * The name of an operator as visitors see it. Names may be e-mail addresses, which are private: only the part before `@` is used, capitalised if
 * it is all lower case. Without a name: "Operator". Pure.
 */
export function nameForVisitors(operator: string): string {
  const [name = ""] = operator.trim().split("@");
  if (name === "") return "Operator";
  return name === name.toLowerCase() ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

/** An event of GET /chat/events: a message during a live hand-off, or an operator joining or leaving. */
export const HandoffEvent = named("HandoffEvent", {
  number: Type.Integer({
    description: "Its place in the conversation; `Last-Event-ID` names the last one",
  }),
  at: Type.Integer({ description: "Milliseconds since 1970" }),
  kind: oneOf(["visitor", "operator", "state"], {
    description: "Author of the message; state: an operator joined or left",
  }),
  name: Type.Optional(
    Type.String({ description: "The person's name, as visitors read it; never an e-mail address" }),
  ),
  text: Type.String({ description: "The message as plain text; of a state: live, open or closed" }),
});
export type HandoffEvent = Static<typeof HandoffEvent>;
