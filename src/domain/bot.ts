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
import {
  integer,
  named,
  namedStrict,
  oneOf,
  optionalFlag,
  strict,
  strictObject,
  textUpTo,
} from "./schemas.ts";
import { BotTexts, CheckedTexts, Formality, WidgetTexts } from "./texts.ts";

export const INTENT_PATTERN_PATTERN = `^(\\*|${INTENT_SEGMENT}(\\.${INTENT_SEGMENT})*(\\.\\*)?)$`;

/** A language tag with optional subtags: `de`, `pt-BR`, `zh-Hant-TW`. */
export const LANGUAGE_TAG_PATTERN = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$";
const LANGUAGE_TAG = new RegExp(LANGUAGE_TAG_PATTERN);

/** The text if it is a well-formed language tag; otherwise undefined. */
export const languageTagIn = (text: string | undefined): string | undefined =>
  text !== undefined && LANGUAGE_TAG.test(text) ? text : undefined;

/** Any JSON Schema, 2020-12 or draft-07; compiled when the bot is loaded. */
const OutputSchema = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Boolean()], {
  description: "JSON Schema (2020-12 or draft-07) that every answer has to satisfy",
});

const FallbackResponse = Type.String({
  minLength: 1,
  description: "Replaces an answer that fails the output schema; must satisfy the schema itself",
});

/** Answers by a model. The names refer to model servers of the server's configuration. */
export const ModelResponder = namedStrict("ModelResponder", {
  kind: Type.Literal("model"),
  models: Type.Optional(
    Type.Array(textUpTo(100, "Name of a model server in the configuration"), {
      minItems: 1,
      maxItems: 8,
      description: "Tried in this order; absent: every configured server, in the order of the configuration",
    }),
  ),
  maxTokens: Type.Optional(integer(1, 100_000, "Most tokens of an answer (default 1024)")),
  temperature: Type.Optional(
    Type.Number({ minimum: 0, maximum: 2, description: "Absent: the model server's own default" }),
  ),
  deadlineMs: Type.Optional(
    integer(
      1000,
      240_000,
      "Milliseconds until an answer is given up, all servers and retries included (default 60000)",
    ),
  ),
  history: Type.Optional(
    Type.Object(
      {
        turns: Type.Optional(integer(0, 20, "Earlier turns shown (default 10)")),
        characters: Type.Optional(integer(0, 200_000, "Their length at most (default 12000)")),
      },
      { ...strict, description: "How much of the conversation the model sees" },
    ),
  ),
});
export type ModelResponder = Static<typeof ModelResponder>;

export const ScriptedResponder = namedStrict("ScriptedResponder", {
  kind: Type.Literal("scripted"),
  else: Type.Optional(
    Type.Union([Type.Literal("model"), ModelResponder], {
      description: "What answers if the intent has no responses",
    }),
  ),
});
export type ScriptedResponder = Static<typeof ScriptedResponder>;

export const ResponderSettings = Type.Union([ScriptedResponder, ModelResponder], {
  $id: "ResponderSettings",
  description: "What answers: the intents' responses (the default), or a model",
});
export type ResponderSettings = Static<typeof ResponderSettings>;

export const BotIntent = namedStrict("BotIntent", {
  name: IntentName,
  label: Type.Optional(textUpTo(120, 'What "Did you mean: …?" calls this intent')),
  description: Type.Optional(textUpTo(1000, "What this intent is about, in a sentence")),
  examples: Type.Optional(
    Type.Array(textUpTo(2000, "A message that a visitor might write"), {
      description: "Example messages; five are enough to begin with, ten are better",
    }),
  ),
  responses: Type.Optional(
    Type.Array(textUpTo(20_000, "An answer; `{botName}` is replaced"), {
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
  guidance: Type.Optional(textUpTo(10_000, "What a model should know and do when it answers this intent")),
  responder: Type.Optional(ResponderSettings),
  outputSchema: Type.Optional(OutputSchema),
  fallbackResponse: Type.Optional(FallbackResponse),
  next: Type.Optional(
    Type.Array(textUpTo(200, "The name of an intent, or a message as a visitor would write it"), {
      maxItems: 5,
      description: "What visitors are offered to ask next, below this intent's answer",
    }),
  ),
  handoff: optionalFlag("true: offers a person; visitors who ask for a person get this answer, too"),
});
export type BotIntent = Static<typeof BotIntent>;

const IntentPattern = Type.String({
  pattern: INTENT_PATTERN_PATTERN,
  description: "An intent name, a prefix wildcard (`orders.*`), or `*`",
});

export const CapabilityProfile = namedStrict("CapabilityProfile", {
  allow: Type.Optional(
    Type.Array(IntentPattern, {
      description: "Absent: everything that is not denied is allowed. Empty: nothing is.",
    }),
  ),
  deny: Type.Optional(Type.Array(IntentPattern, { description: "Wins over allow" })),
  denyTerms: Type.Optional(
    Type.Array(textUpTo(100, "A word or phrase; its inflected forms count, too"), {
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
    oneOf(["enforce", "observe"], {
      description:
        "enforce (the default) restricts; observe answers as if every intent were allowed, and records what enforcement would have done",
    }),
  ),
  refusals: Type.Optional(
    Type.Object(
      {
        DENY_LIST: Type.Optional(textUpTo(2000, "Said when the intent is denied")),
        NOT_IN_ALLOW_LIST: Type.Optional(textUpTo(2000, "Said when the intent is not in the allow list")),
        no_intent_match: Type.Optional(textUpTo(2000, "Said when no intent matched")),
      },
      { ...strict, description: "What the bot says when the profile restricts a turn" },
    ),
  ),
});
export type CapabilityProfile = Static<typeof CapabilityProfile>;

const Confidence = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const ClassifierSettings = namedStrict("ClassifierSettings", {
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
      { model: textUpTo(100, "Name of a model server in the configuration that answers /embeddings") },
      {
        ...strict,
        description: "Weighs in how near a message is to the examples, by a server's embeddings",
      },
    ),
  ),
  judge: Type.Optional(
    Type.Object(
      {
        model: textUpTo(100, "Name of a model server in the configuration"),
        band: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 0.5,
            description:
              "The model is asked if the probability of the likeliest answer, or of being in scope, is this near to its threshold (default 0.15)",
          }),
        ),
      },
      { ...strict, description: "Has a model read what the bot is in doubt about" },
    ),
  ),
});
export type ClassifierSettings = Static<typeof ClassifierSettings>;

export const RateLimit = namedStrict("RateLimit", {
  capacity: integer(1, 1_000_000, "Messages a caller may send at once"),
  perMinute: Type.Number({
    minimum: 0.001,
    maximum: 1_000_000,
    description: "Messages a minute that a caller regains; counts in thousandths",
  }),
});
export type RateLimit = Static<typeof RateLimit>;

/** A suggested question of a bot file; id and order are optional there. */
const SuggestedQuestionDocument = strictObject({
  id: Type.Optional(SuggestedQuestion.properties.id),
  text: SuggestedQuestion.properties.text,
  order: Type.Optional(SuggestedQuestion.properties.order),
});

/** A bot as its operator writes it. Unknown fields are errors. */
export const BotDocument = named(
  "BotDocument",
  {
    id: BotId,
    name: textUpTo(120, "Display name; `{botName}` in messages"),
    enabled: optionalFlag("false: the bot is not found. Absent: stays as it is (new bots: true)"),
    allowedDomains: Type.Array(
      textUpTo(300, "`example.com`, `*.example.com`, `localhost:5173`, `https://example.com` or `*`"),
      {
        description: 'Where the widget may stand. `["*"]`: anywhere; `[]`: nowhere',
      },
    ),
    welcomeMessage: WidgetTexts.properties.welcomeMessage,
    monthlyMessageCap: Type.Optional(integer(0, 1_000_000_000, "Messages a UTC month; absent: no cap")),
    monthlyTokenBudget: Type.Optional(
      integer(0, 1_000_000_000_000, "Tokens that models may use in a UTC month; absent: no budget"),
    ),
    rateLimit: Type.Optional(RateLimit),
    maxInputLength: Type.Optional(integer(1, 16_000, "Characters a message may have (default 4000)")),
    instructions: Type.Optional(
      textUpTo(
        50_000,
        "What a model should know of its task, its tone and its facts; `{botName}` is replaced",
      ),
    ),
    language: Type.Optional(
      Type.String({
        pattern: LANGUAGE_TAG_PATTERN,
        description: "What the bot speaks, as a BCP 47 tag (`pt-BR`); absent: found from the examples",
      }),
    ),
    formality: Type.Optional(Formality),
    timezone: Type.Optional(
      textUpTo(
        64,
        "Of days and times in actions, as `Europe/Berlin` (default: that of `handoff.hours`, else UTC)",
      ),
    ),
    social: optionalFlag(
      "Whether greetings, thanks and the like are answered automatically (default true; false if the bot has an outputSchema)",
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
    poweredByRequired: optionalFlag('Whether the widget shows its "powered by" line (default true)'),
    tests: Type.Optional(Type.Array(BotTest, { description: "Checked by `parley eval`" })),
  },
  { ...strict, title: "Parley bot" },
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
