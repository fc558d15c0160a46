import { type Static, Type } from "@sinclair/typebox";

import { RESTRICTION_REASONS } from "./chat.ts";
import { BotIdentity, SuggestedQuestion } from "./embed.ts";
import { oneOf, strict, textUpTo } from "./schemas.ts";

/** Kinds of social turns, most specific first. */
export const SOCIAL_KINDS = [
  "person",
  "repair",
  "abuse",
  "identity",
  "help",
  "goodbye",
  "thanks",
  "greeting",
  "acknowledge",
] as const;
export type SocialKind = (typeof SOCIAL_KINDS)[number];

/** The intents that every bot has for them. */
export const SOCIAL_INTENTS: readonly string[] = SOCIAL_KINDS.map((kind) => `social.${kind}`);

/** The languages that a bot's own words are in. */
export const TEXT_LANGUAGES = [
  "en",
  "de",
  "es",
  "fr",
  "it",
  "nl",
  "pt",
  "pl",
  "tr",
  "ar",
  "ja",
  "zh",
] as const;
export type TextLanguage = (typeof TEXT_LANGUAGES)[number];

/** Form of address for visitors, in languages that have two. */
export const Formality = oneOf(["formal", "informal"], {
  description:
    "Whether the bot's own German calls visitors Sie or du, its French vous or tu; absent: as the answers and texts of this file do",
});

/** Built-in texts of a bot: the keys of `texts` in a bot file. */
export const TEXT_KEYS = [
  ...RESTRICTION_REASONS,
  "didYouMean",
  "noneOfThese",
  "noneChosen",
  "nothingMore",
  "partly",
  "noAnswerYet",
  "modelDown",
  "actionUnsure",
  "handoffLive",
  "social.greeting",
  "social.thanks",
  "social.goodbye",
  "social.identity",
  "social.help",
  "social.abuse",
  "social.acknowledge",
  "social.person",
  "social.repair",
  "repairInWords",
  "repairPerson",
  "askPerson",
  "dataGiven",
  "dataNamed",
  "dataPassOn",
  "otherLanguage",
] as const;
export type TextKey = (typeof TEXT_KEYS)[number];

const MEANING: Record<TextKey, string> = {
  DENY_LIST: "Said when the intent is on the deny list",
  NOT_IN_ALLOW_LIST: "Said when the intent is not in the allow list",
  no_intent_match: "Said when no intent matched",
  didYouMean: "Asks which intent is meant; `{choices}` is replaced by their labels",
  noneOfThese: "The last button under that question",
  noneChosen: "Said when that button was pressed",
  nothingMore: "Said in place of an answer, or of `no_intent_match`, that was given just before",
  partly: "Follows an answer to one part of a message; `{rest}` is replaced by the other part",
  noAnswerYet: "Said for an intent without responses",
  modelDown: "Said with the offer of a person if no model answers; only of bots with `handoff`",
  actionUnsure: "Said if it is unknown whether an action was done; a person is offered below",
  handoffLive: "Said to each message while a person has taken over",
  "social.greeting": "Answers a greeting",
  "social.thanks": "Answers thanks",
  "social.goodbye": "Answers a goodbye",
  "social.identity": "Answers whether a person is speaking; has to be true",
  "social.help": "Precedes the list of what the bot can do",
  "social.abuse": "Answers insults",
  "social.acknowledge": "Answers an “ok”",
  "social.person": "Answers the wish for a person, who is offered below",
  "social.repair": "Apologises if the visitor says that an answer did not fit; other suggestions follow",
  repairInWords: "Follows that apology if there are no other suggestions",
  repairPerson: "Follows that apology, or `no_intent_match`, if a person is offered below",
  askPerson: "Label of the button that asks for a person, if the bot has no answer to a message",
  dataGiven: "Said if the visitor gives an e-mail address, a day or the like, and asks for nothing",
  dataNamed: "Said if the visitor gives a number, such as that of an order; it replaces `{data}`",
  dataPassOn: "Follows `dataGiven` or `dataNamed` if a person is offered below",
  otherLanguage:
    "Stands before an answer to a message in this other language; `{language}` is replaced by the bot's",
};

/** Keys of earlier versions, which bot files may still have. */
const FORMER_TEXT_KEYS = ["mayHelp"];

const optional = (description: string) => Type.Optional(textUpTo(2000, description));
const textsByKey = Object.fromEntries([
  ...TEXT_KEYS.map((key) => [key, optional(`${MEANING[key]}; \`{botName}\` is replaced`)] as const),
  ...FORMER_TEXT_KEYS.map((key) => [key, optional("Of an earlier version, and no longer used")] as const),
]);

const ByQuestion = Type.Record(Type.String(), SuggestedQuestion.properties.text, {
  description: "Suggested questions by their ids; q1, q2 and so on if the file gives none",
});

/** A bot's texts in the widget. They are separate fields, and part of `texts` for each further language. */
export const WidgetTexts = Type.Object({
  welcomeMessage: optional(
    "Greeting of the widget, in Markdown; `{botName}` is replaced; absent: a greeting in the bot's language",
  ),
  tagline: BotIdentity.properties.tagline,
  legal: BotIdentity.properties.legal,
  "launcher.label": BotIdentity.properties.launcher.properties.label,
  suggestedQuestions: Type.Optional(ByQuestion),
});
type WidgetTexts = Static<typeof WidgetTexts>;

/** All texts of a bot file in one language: the bot's built-in texts and those of its widget. */
export const LanguageTexts = Type.Unsafe<Partial<Record<TextKey, string>> & WidgetTexts>(
  Type.Object(
    { ...textsByKey, ...WidgetTexts.properties },
    { ...strict, description: "Wording in one language" },
  ),
);
export type LanguageTexts = Static<typeof LanguageTexts>;

/** One of the twelve languages with subtags: `pt-BR`, `zh-Hant-TW`. */
const NARROWER_LANGUAGE = `^(${TEXT_LANGUAGES.join("|")})(-[A-Za-z0-9]{2,8})+$`;

const description = "The bot's built-in texts, by key, or by language and key";
const named = {
  ...textsByKey,
  ...Object.fromEntries(TEXT_LANGUAGES.map((language) => [language, Type.Optional(LanguageTexts)])),
};

/** A bot file's own wording, by key, or by language and key; that of the language counts first. */
export const BotTexts = Type.Unsafe<
  Partial<Record<TextKey, string>> &
    Partial<Record<TextLanguage, LanguageTexts>> & {
      readonly [tag: `${TextLanguage}-${string}`]: LanguageTexts;
    }
>(
  Type.Object(named, {
    ...strict,
    $id: "BotTexts",
    description,
    patternProperties: { [NARROWER_LANGUAGE]: LanguageTexts },
  }),
);
export type BotTexts = Static<typeof BotTexts>;

/** The same for texts that are validated already: TypeBox does not support `patternProperties` next to `properties`. */
export const CheckedTexts = Type.Unsafe<BotTexts>(
  Type.Object(named, { additionalProperties: LanguageTexts, description }),
);

/** Built-in texts of a bot and its widget's greeting in one language. `{botName}` is replaced by its name. */
export type Wording = Readonly<Record<TextKey | "welcomeMessage", string>>;
