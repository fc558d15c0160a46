import { type Static, Type } from "@sinclair/typebox";

import { ActionSettings, Slot } from "./action.ts";
import { BotTest } from "./bot-test.ts";
import {
  BotIdentity,
  SuggestedQuestion,
  SuggestedQuestionsStyle,
  WidgetTemplate,
  WidgetTheme,
} from "./embed.ts";
import { HandoffSettings } from "./handoff.ts";
import { BotId, INTENT_SEGMENT, IntentName } from "./ids.ts";
import { KnowledgeSettings } from "./knowledge.ts";
import { PersonalDataKind } from "./personal-data.ts";
import { strict } from "./schemas.ts";
import { BotTexts, CheckedTexts, WidgetTexts, Formality } from "./texts.ts";

export const INTENT_PATTERN_PATTERN = `^(\\*|${INTENT_SEGMENT}(\\.${INTENT_SEGMENT})*(\\.\\*)?)$`;

/** A language tag with optional subtags: `de`, `pt-BR`, `zh-Hant-TW`. */
export const LANGUAGE_TAG_PATTERN = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$";
const LANGUAGE_TAG = new RegExp(LANGUAGE_TAG_PATTERN);

/** The text where it has the shape of a language tag. */
export const languageTagIn = (text: string | undefined): string | undefined =>
  text !== undefined && LANGUAGE_TAG.test(text) ? text : undefined;

const Text = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description });

/** Any JSON Schema, 2020-12 or draft-07; compiled when the bot is loaded. */
const OutputSchema = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Boolean()], {
  description: "JSON Schema (2020-12 or draft-07) that every answer has to satisfy",
});

const FallbackResponse = Type.String({
  minLength: 1,
  description: "Replaces an answer that fails the output schema; must satisfy the schema itself",
});

/** Answers by a model; which servers there are is the server's configuration. */
export const ModelResponder = Type.Object(
  {
    kind: Type.Literal("model"),
    models: Type.Optional(
      Type.Array(Text("Name of a model server in the configuration", 100), {
        minItems: 1,
        maxItems: 8,
        description:
          "Tried in this order; absent: every configured server, in the order of the configuration",
      }),
    ),
    maxTokens: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: "Most tokens of an answer (default 1024)" }),
    ),
    temperature: Type.Optional(
      Type.Number({ minimum: 0, maximum: 2, description: "Absent: the model server's own default" }),
    ),
    deadlineMs: Type.Optional(
      Type.Integer({
        minimum: 1000,
        maximum: 240_000,
        description:
          "Milliseconds until an answer is given up, all servers and retries included (default 60000)",
      }),
    ),
    history: Type.Optional(
      Type.Object(
        {
          turns: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 20, description: "Earlier turns shown (default 10)" }),
          ),
          characters: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 200_000,
              description: "Their length at most (default 12000)",
            }),
          ),
        },
        { ...strict, description: "How much of the conversation the model sees" },
      ),
    ),
  },
  { ...strict, $id: "ModelResponder" },
);
export type ModelResponder = Static<typeof ModelResponder>;

export const ScriptedResponder = Type.Object(
  {
    kind: Type.Literal("scripted"),
    else: Type.Optional(
      Type.Union([Type.Literal("model"), ModelResponder], {
        description: "What answers where the intent has no responses",
      }),
    ),
  },
  { ...strict, $id: "ScriptedResponder" },
);
export type ScriptedResponder = Static<typeof ScriptedResponder>;

export const ResponderSettings = Type.Union([ScriptedResponder, ModelResponder], {
  $id: "ResponderSettings",
  description: "What answers: the intents' responses (the default), or a model",
});
export type ResponderSettings = Static<typeof ResponderSettings>;

export const BotIntent = Type.Object(
  {
    name: IntentName,
    label: Type.Optional(Text('What "Did you mean: …?" calls this intent', 120)),
    description: Type.Optional(Text("What this intent is about, in a sentence", 1000)),
    examples: Type.Optional(
      Type.Array(Text("A message that a visitor might write", 2000), {
        description: "Example messages; five are enough to begin with, ten are better",
      }),
    ),
    responses: Type.Optional(
      Type.Array(Text("An answer; `{botName}` is replaced", 20_000), {
        minItems: 1,
        description: "One answer, or several that are used in turn within a conversation",
      }),
    ),
    slots: Type.Optional(
      Type.Array(Slot, {
        minItems: 1,
        description: "What the action has to know from the visitor; at most ten",
      }),
    ),
    action: Type.Optional(ActionSettings),
    guidance: Type.Optional(Text("What a model should know and do when it answers this intent", 10_000)),
    responder: Type.Optional(ResponderSettings),
    outputSchema: Type.Optional(OutputSchema),
    fallbackResponse: Type.Optional(FallbackResponse),
    next: Type.Optional(
      Type.Array(Text("The name of an intent, or a message as a visitor would write it", 200), {
        maxItems: 5,
        description: "What visitors are offered to ask next, below this intent's answer",
      }),
    ),
    handoff: Type.Optional(
      Type.Boolean({ description: "true: offers a person; who asks for a person gets this, too" }),
    ),
  },
  { ...strict, $id: "BotIntent" },
);
export type BotIntent = Static<typeof BotIntent>;

const IntentPattern = Type.String({
  pattern: INTENT_PATTERN_PATTERN,
  description: "An intent name, a prefix wildcard (`orders.*`), or `*`",
});

export const CapabilityProfile = Type.Object(
  {
    allow: Type.Optional(
      Type.Array(IntentPattern, {
        description: "Absent: everything that is not denied is allowed. Empty: nothing is.",
      }),
    ),
    deny: Type.Optional(Type.Array(IntentPattern, { description: "Wins over allow" })),
    denyTerms: Type.Optional(
      Type.Array(Text("A word or phrase; its inflected forms count, too", 100), {
        maxItems: 1000,
        description: "A message that holds one of these, in any disguise, is denied",
      }),
    ),
    denyPatterns: Type.Optional(
      Type.Array(PersonalDataKind, {
        description:
          "A message that holds such data is denied: card-number, iban, e-mail, phone; check digits and numbering plans count",
      }),
    ),
    mode: Type.Optional(
      Type.Union([Type.Literal("enforce"), Type.Literal("observe")], {
        description:
          "enforce (the default) restricts; observe answers as if every intent were allowed, and records what enforcement would have done",
      }),
    ),
    refusals: Type.Optional(
      Type.Object(
        {
          DENY_LIST: Type.Optional(Text("Said when the intent is denied", 2000)),
          NOT_IN_ALLOW_LIST: Type.Optional(Text("Said when the intent is not in the allow list", 2000)),
          no_intent_match: Type.Optional(Text("Said when no intent matched", 2000)),
        },
        { ...strict, description: "What the bot says when the profile restricts a turn" },
      ),
    ),
  },
  { ...strict, $id: "CapabilityProfile" },
);
export type CapabilityProfile = Static<typeof CapabilityProfile>;

const Confidence = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const ClassifierSettings = Type.Object(
  {
    threshold: Type.Optional(
      Confidence(
        "Below this chance of being about any of the intents, a message has no intent (0–1; default: fitted to the bot)",
      ),
    ),
    denyThreshold: Type.Optional(
      Confidence(
        "From this chance on that a message, or a part of it, asks for something denied, the turn is denied (0–1, default 0.4)",
      ),
    ),
    embeddings: Type.Optional(
      Type.Object(
        { model: Text("Name of a model server in the configuration that answers /embeddings", 100) },
        {
          ...strict,
          description: "Weighs in how near a message is to the examples, by a server's embeddings",
        },
      ),
    ),
    judge: Type.Optional(
      Type.Object(
        {
          model: Text("Name of a model server in the configuration", 100),
          band: Type.Optional(
            Type.Number({
              minimum: 0,
              maximum: 0.5,
              description:
                "Asked where the chance of the likeliest answer, or of being in scope, is this near to its threshold (default 0.15)",
            }),
          ),
        },
        { ...strict, description: "Has a model read what the bot is in doubt about" },
      ),
    ),
  },
  { ...strict, $id: "ClassifierSettings" },
);
export type ClassifierSettings = Static<typeof ClassifierSettings>;

export const RateLimit = Type.Object(
  {
    capacity: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "Messages a caller may send at once",
    }),
    perMinute: Type.Number({
      minimum: 0.001,
      maximum: 1_000_000,
      description: "Messages a minute that a caller regains; counts in thousandths",
    }),
  },
  { ...strict, $id: "RateLimit" },
);
export type RateLimit = Static<typeof RateLimit>;

/** A suggested question as it stands in a bot file, where id and order may be left out. */
const SuggestedQuestionDocument = Type.Object(
  {
    id: Type.Optional(SuggestedQuestion.properties.id),
    text: SuggestedQuestion.properties.text,
    order: Type.Optional(SuggestedQuestion.properties.order),
  },
  strict,
);

/** A bot as its operator writes it. Unknown fields are errors. */
export const BotDocument = Type.Object(
  {
    id: BotId,
    name: Text("Display name; `{botName}` in messages", 120),
    enabled: Type.Optional(
      Type.Boolean({ description: "false: the bot is not found. Absent: stays as it is (new bots: true)" }),
    ),
    allowedDomains: Type.Array(
      Text("`example.com`, `*.example.com`, `localhost:5173`, `https://example.com` or `*`", 300),
      {
        description: 'Where the widget may stand. `["*"]`: anywhere; `[]`: nowhere',
      },
    ),
    welcomeMessage: WidgetTexts.properties.welcomeMessage,
    monthlyMessageCap: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: "Messages a UTC month; absent: no cap",
      }),
    ),
    monthlyTokenBudget: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000_000,
        description: "Tokens that models may use in a UTC month; absent: no budget",
      }),
    ),
    rateLimit: Type.Optional(RateLimit),
    maxInputLength: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 16_000,
        description: "Characters a message may have (default 4000)",
      }),
    ),
    instructions: Type.Optional(
      Text("What a model should know of its task, its tone and its facts; `{botName}` is replaced", 50_000),
    ),
    language: Type.Optional(
      Type.String({
        pattern: LANGUAGE_TAG_PATTERN,
        description: "What the bot speaks, as a BCP 47 tag (`pt-BR`); absent: found from the examples",
      }),
    ),
    formality: Type.Optional(Formality),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          "Of days and times in actions, as `Europe/Berlin` (default: that of `handoff.hours`, else UTC)",
      }),
    ),
    social: Type.Optional(
      Type.Boolean({
        description:
          "Whether greetings, thanks and the like are answered by themselves (default true; false where the bot has an outputSchema)",
      }),
    ),
    texts: Type.Optional(BotTexts),
    intents: Type.Optional(Type.Array(BotIntent)),
    knowledge: Type.Optional(KnowledgeSettings),
    handoff: Type.Optional(HandoffSettings),
    defaultIntent: Type.Optional(IntentName),
    capabilityProfile: Type.Optional(CapabilityProfile),
    classifier: Type.Optional(ClassifierSettings),
    responder: Type.Optional(ResponderSettings),
    outputSchema: Type.Optional(OutputSchema),
    fallbackResponse: Type.Optional(FallbackResponse),
    theme: Type.Optional(WidgetTheme),
    ...BotIdentity.properties,
    suggestedQuestions: Type.Optional(Type.Array(SuggestedQuestionDocument, { maxItems: 20 })),
    suggestedQuestionsStyle: Type.Optional(SuggestedQuestionsStyle),
    template: Type.Optional(WidgetTemplate),
    poweredByRequired: Type.Optional(
      Type.Boolean({ description: 'Whether the widget shows its "powered by" line (default true)' }),
    ),
    tests: Type.Optional(Type.Array(BotTest, { description: "Checked by `parley eval`" })),
  },
  { ...strict, $id: "BotDocument", title: "Parley bot" },
);
export type BotDocument = Static<typeof BotDocument>;

/** A bot as stored: the contents of a bot file, already validated. */
export const StoredBotDocument = Type.Unsafe<BotDocument>(
  Type.Object({ ...BotDocument.properties, texts: Type.Optional(CheckedTexts) }, strict),
);

/** Limits of a bot, needed for callers and metrics before the bot is opened. */
export const BotLimits = Type.Pick(BotDocument, ["rateLimit", "monthlyMessageCap", "monthlyTokenBudget"]);
export type BotLimits = Static<typeof BotLimits>;

/** A fault that a rule found in a bot document; `pointer` is a JSON Pointer into it. */
export interface BotProblem {
  pointer: string;
  /** The mistake and its remedy. */
  message: string;
  severity: "error" | "warning";
  /** Blocks publication unless it is accepted: the bot works, but probably not as its operator meant. */
  isFault?: true;
}

/** A rule over documents that already have the right shape. Pure. */
export type BotRule = (bot: BotDocument) => readonly BotProblem[];

export const DEFAULT_MAX_INPUT_LENGTH = 4000;

/** Replaces every `{botName}` literally; `$&` in a name has no special meaning. */
export function withBotName(text: string, name: string): string {
  return text.replaceAll("{botName}", () => name);
}
