import { type Static, Type } from "@sinclair/typebox";

import { RESTRICTION_REASONS } from "./chat.ts";
import { IntentName } from "./ids.ts";
import { oneOf, strict, textUpTo } from "./schemas.ts";

const Utterance = textUpTo(4000, "One message");

/** Expected results of one message of a test; absent fields are not checked. */
const expectation = {
  intent: Type.Optional(Type.Union([IntentName, Type.Null()], { description: "null: no intent" })),
  decision: Type.Optional(
    oneOf(["allowed", ...RESTRICTION_REASONS], { description: "allowed, or the reason of the restriction" }),
  ),
  response: Type.Optional(Type.String({ description: "The exact answer" })),
  endpoint: Type.Optional(
    Type.Object(
      {
        status: Type.Integer({ minimum: 100, maximum: 599 }),
        body: Type.Optional(Type.Unknown({ description: "JSON" })),
      },
      { ...strict, description: "What the endpoint answers to this message; none is called by a test" },
    ),
  ),
};

export const BotTest = Type.Union(
  [
    Type.Object({ utterance: Utterance, ...expectation }, strict),
    Type.Object(
      {
        dialogue: Type.Array(Type.Object({ utterance: Utterance, ...expectation }, strict), {
          minItems: 1,
          description: "Messages of one conversation, in order",
        }),
      },
      strict,
    ),
  ],
  { $id: "BotTest" },
);
export type BotTest = Static<typeof BotTest>;
