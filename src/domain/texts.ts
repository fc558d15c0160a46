import { type Static, Type } from "@sinclair/typebox";

import { RESTRICTION_REASONS } from "./chat.ts";

/** What social turns may be, the most telling first. */
export const SOCIAL_KINDS = [
  "abuse",
  "identity",
  "help",
  "goodbye",
  "thanks",
  "greeting",
  "acknowledge",
] as const;
export type SocialKind = (typeof SOCIAL_KINDS)[number];

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

/** What a bot says by itself: the keys of `texts` in a bot file. */
export const TEXT_KEYS = [
  ...RESTRICTION_REASONS,
  "didYouMean",
  "noneOfThese",
  "noneChosen",
  "partly",
  "noAnswerYet",
  "mayHelp",
  "handoffLive",
  "social.greeting",
  "social.thanks",
  "social.goodbye",
  "social.identity",
  "social.help",
  "social.abuse",
  "social.acknowledge",
] as const;
export type TextKey = (typeof TEXT_KEYS)[number];

const MEANING: Record<TextKey, string> = {
  DENY_LIST: "Said when the intent is on the deny list",
  NOT_IN_ALLOW_LIST: "Said when the intent is not in the allow list",
  no_intent_match: "Said when no intent matched",
  didYouMean: "Asks which intent is meant; `{choices}` is replaced by their labels",
  noneOfThese: "The last button under that question",
  noneChosen: "Said when that button was pressed",
  partly: "Follows an answer to one part of a message; `{rest}` is replaced by the other part",
  noAnswerYet: "Said for an intent without responses",
  mayHelp: "Stands before links to documents that may answer",
  handoffLive: "Said to each message while a person has taken over",
  "social.greeting": "Answers a greeting",
  "social.thanks": "Answers thanks",
  "social.goodbye": "Answers a goodbye",
  "social.identity": "Answers whether a person is speaking; has to be true",
  "social.help": "Stands before what the bot can do",
  "social.abuse": "Answers insults",
  "social.acknowledge": "Answers an “ok”",
};

const textsByKey = Object.fromEntries(
  TEXT_KEYS.map((key) => [
    key,
    Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: `${MEANING[key]}; \`{botName}\` is replaced`,
      }),
    ),
  ]),
);
const strict = { additionalProperties: false } as const;

/** A bot file's own wording, by key, or by language and key; that of the language counts first. */
export const BotTexts = Type.Unsafe<
  Partial<Record<TextKey, string>> & Partial<Record<TextLanguage, Partial<Record<TextKey, string>>>>
>(
  Type.Object(
    {
      ...textsByKey,
      ...Object.fromEntries(
        TEXT_LANGUAGES.map((language) => [
          language,
          Type.Optional(
            Type.Object(textsByKey, { ...strict, description: `Wording in the language ${language}` }),
          ),
        ]),
      ),
    },
    {
      ...strict,
      $id: "BotTexts",
      description: "What the bot says by itself, by key, or by language and key",
    },
  ),
);
export type BotTexts = Static<typeof BotTexts>;
