import { type Static, type TObject, type TOptional, type TString, Type } from "@sinclair/typebox";

const strict = { additionalProperties: false } as const;

/** Languages that a bot's own wording is there in, by their ISO 639-1 codes. */
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

/** The language of a bot: where the wording is not there in it, English stands in. */
export const BotLanguage = Type.String({
  pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
  maxLength: 35,
  description: "A BCP 47 tag, as in `de` or `de-AT`",
});

/** What each wording is for, by its key. */
const USES = {
  "refusals.DENY_LIST": "Said when the intent is denied",
  "refusals.NOT_IN_ALLOW_LIST": "Said when the intent is not in the allow list",
  "refusals.no_intent_match": "Said when no intent matched",
  "didYouMean.one": "Asks back about one intent; `{choice}` is its label",
  "didYouMean.several": "Asks back about several intents; `{choices}` are their labels",
  "didYouMean.list": "Asks back above a list of buttons",
  noneOfThese: "The button that refuses all that was asked about",
  noneChosen: "Said when that button was pressed",
  "social.greeting": "Said when greeted; `{botName}` is replaced",
  "social.thanks": "Said when thanked",
  "social.goodbye": "Said when somebody leaves",
  "social.identity": "Said when asked who or what the bot is; `{botName}` is replaced",
  "social.help": "Said when asked for help; `{choices}` are the labels of some intents",
  "social.helpWithoutChoices": "Said when asked for help, where there is no intent to name",
  "social.abuse": "Said when insulted",
  "social.acknowledge": "Said to an “ok”",
  partly: "Said behind an answer that answers a part; `{rest}` is what it does not answer",
  handoffLive: "Said while a person has taken over",
  mayHelp: "Said above what may help",
  notKnown: "Said when the subject is the bot's, but the answer is not known",
} as const;

/** The name of a wording. */
export type TextKey = keyof typeof USES;
export const TEXT_KEYS = Object.keys(USES) as TextKey[];

type Wordings = Record<TextKey, TOptional<TString>>;
type ByLanguage = Record<TextLanguage, TOptional<TObject<Wordings>>>;

const wording = (use: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: use }));

const wordings = Object.fromEntries(TEXT_KEYS.map((key) => [key, wording(USES[key])])) as Wordings;

const byLanguage = Object.fromEntries(
  TEXT_LANGUAGES.map((language) => [
    language,
    Type.Optional(Type.Object(wordings, { ...strict, description: `Wording in \`${language}\`` })),
  ]),
) as ByLanguage;

/** What a bot says by itself, in its operator's words: by key, for the bot's language, or by language and key. Unknown keys are errors. */
export const BotTexts = Type.Object(
  { ...wordings, ...byLanguage },
  { ...strict, $id: "BotTexts", description: "What the bot says by itself, by key, or by language and key" },
);
export type BotTexts = Static<typeof BotTexts>;
