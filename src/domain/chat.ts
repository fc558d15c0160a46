import { type Static, Type } from "@sinclair/typebox";

import { ActionMetadata } from "./action.ts";
import { IntentName } from "./ids.ts";
import { named, oneOf } from "./schemas.ts";

/** Body of POST /chat (service interface, ChatRequest). Unknown fields are ignored. */
export const ChatRequest = named("ChatRequest", {
  botId: Type.String({ minLength: 1, description: "The agent ID" }),
  input: Type.String({ minLength: 1, description: "The user's message text" }),
  conversationId: Type.Optional(
    Type.String({ description: "ID from a previous response; continues that conversation" }),
  ),
});
export type ChatRequest = Static<typeof ChatRequest>;

/** Why a turn is restricted before any answer exists. */
export const RESTRICTION_REASONS = ["DENY_LIST", "NOT_IN_ALLOW_LIST", "no_intent_match"] as const;

/** Why a turn is restricted, or its answer replaced. */
export const ENFORCEMENT_REASONS = [...RESTRICTION_REASONS, "schema_fallback"] as const;

export const EnforcementReason = oneOf(ENFORCEMENT_REASONS, {
  description: "Why the request was restricted",
});
export type EnforcementReason = Static<typeof EnforcementReason>;

/** An intent that a visitor may choose. */
export const Suggestion = named("Suggestion", {
  intent: IntentName,
  label: Type.String({ description: "What the intent is called; sent as `input`, it selects the intent" }),
});
export type Suggestion = Static<typeof Suggestion>;

/** A suggested next question. */
export const NextStep = named("NextStep", {
  label: Type.String({ description: "Label of the button" }),
  input: Type.String({ description: "What the button sends as `input`" }),
});
export type NextStep = Static<typeof NextStep>;

/** Where a visitor reads on. */
export const ChatSource = named("ChatSource", {
  title: Type.String({ description: "The document, and the headings that the passage stands under" }),
  url: Type.Optional(Type.String({ description: "http or https; absent if the document has no address" })),
});
export type ChatSource = Static<typeof ChatSource>;

export const ChatMetadata = named("ChatMetadata", {
  capabilityAllowed: Type.Boolean({ description: "Whether the Capability Profile allowed the intent" }),
  enforcementReason: Type.Optional(EnforcementReason),
  suggestions: Type.Optional(
    Type.Array(Suggestion, {
      description: "What the visitor may choose, best first, if the bot asks back or says what it can do",
    }),
  ),
  sources: Type.Optional(
    Type.Array(ChatSource, {
      description: "Documents that the answer is taken from; best first, at most three of each question",
    }),
  ),
  next: Type.Optional(
    Type.Array(NextStep, {
      description:
        "What the visitor may say next: yes and no, the choices of a slot, or what the bot file names",
    }),
  ),
  action: Type.Optional(ActionMetadata),
  handoff: Type.Optional(
    Type.Object(
      {
        state: oneOf(["offered", "live"], {
          description: "offered: the visitor may ask for a person; live: one has taken over",
        }),
        fill: Type.Optional(
          Type.Object(
            {
              name: Type.Optional(Type.String()),
              email: Type.Optional(Type.String()),
              phone: Type.Optional(Type.String()),
              message: Type.Optional(Type.String()),
            },
            { description: "What the visitor gave, to fill in if the form asks for it" },
          ),
        ),
      },
      { description: "Whether a person can be had" },
    ),
  ),
  schemaEnforced: Type.Boolean({ description: "Whether output schema enforcement was applied" }),
  schemaFallbackUsed: Type.Boolean({
    description: "Whether a fallback response replaced the original response",
  }),
  schemaValidationError: Type.Optional(
    Type.String({ description: "Details of the schema validation error" }),
  ),
});
export type ChatMetadata = Static<typeof ChatMetadata>;

/** 200 body of POST /chat (service interface, ChatResponse). */
export const ChatResponse = named("ChatResponse", {
  conversationId: Type.String({ description: "Conversation ID to use for follow-up messages" }),
  response: Type.String({ description: "The response text" }),
  intentDetected: Type.Optional(Type.String({ description: "Name of the classified intent" })),
  metadata: ChatMetadata,
});
export type ChatResponse = Static<typeof ChatResponse>;
