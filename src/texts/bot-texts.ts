import { type BotDocument, withBotName } from "../domain/bot.ts";
import type { NextStep } from "../domain/chat.ts";
import { type LanguageTexts, TEXT_LANGUAGES, type TextKey, type TextLanguage } from "../domain/texts.ts";
import { normaliseText } from "../text/normalise.ts";
import { languageOfBot, wordingIn, wordingOf } from "./bot-wording.ts";
import { WORDINGS } from "./wordings.ts";

/** The built-in texts of a bot, compiled when it is loaded, with its name filled in. */
export interface BotTexts {
  language: TextLanguage;
  /** @param values values of the text's placeholders, such as `rest`; inserted unchanged. */
  say(key: TextKey, values?: Readonly<Record<string, string>>): string;
  /** A label and the text that its button sends: Parley's own wording in the bot's language, which the bot understands. */
  askPerson: NextStep;
  /** Whether the bot file has its own wording. */
  isOwn(key: TextKey): boolean;
  /** Choices as a list in a sentence: "a, b or c". */
  list(choices: readonly string[]): string;
  /** The sentence, in another language, that the bot answers only in its own; in the file's wording of that language if it has one. */
  sayOtherLanguage(spoken: TextLanguage): string;
}

/** The bot file's text for the language has precedence over its text for all languages, and both over Parley's own. */
export function compileTexts(document: BotDocument): BotTexts {
  const language = languageOfBot(document);
  const wording = wordingOf(document, language);
  const own = document.texts ?? {};
  const tag = document.language ?? language;
  const inLanguage: LanguageTexts = Object.assign({}, ...wordingIn(own, tag));
  const ownText = (key: TextKey) => inLanguage[key] ?? refusalOf(document, key) ?? own[key];
  return {
    language,
    say(key, values = {}) {
      return fillIn(withBotName(ownText(key) ?? wording[key], document.name), values);
    },
    askPerson: {
      label: withBotName(ownText("askPerson") ?? wording.askPerson, document.name),
      input: wording.askPerson,
    },
    isOwn: (key) => ownText(key) !== undefined,
    list: (items) => listFormatOf(tag).format(items),
    sayOtherLanguage(spoken) {
      const written: LanguageTexts = Object.assign({}, ...wordingIn(own, spoken));
      const name = languageName(language, spoken);
      const text = written.otherLanguage ?? WORDINGS[spoken].otherLanguage;
      return fillIn(withBotName(text, document.name), { language: name });
    },
  };
}

/** Languages that write names of languages in lower case; in a list, Intl begins some of them with a capital. */
const IN_SMALL_LETTERS: ReadonlySet<TextLanguage> = new Set(["es", "fr", "it", "pt", "pl"]);

function languageName(language: TextLanguage, spoken: TextLanguage): string {
  const name = new Intl.DisplayNames(spoken, { type: "language" }).of(language) ?? language;
  return IN_SMALL_LETTERS.has(spoken) ? name.toLocaleLowerCase(spoken) : name;
}

const listFormats = new Map<string, Intl.ListFormat>();

/** One for each language: of 45 kB each, one for each of thousands of bots would take too much memory. */
function listFormatOf(tag: string): Intl.ListFormat {
  let format = listFormats.get(tag);
  if (!format) listFormats.set(tag, (format = new Intl.ListFormat(tag, { type: "disjunction" })));
  return format;
}

/** A bot file of an earlier form has refusals in its capability profile. */
function refusalOf({ capabilityProfile }: BotDocument, key: TextKey): string | undefined {
  const refusals: Partial<Record<TextKey, string>> = capabilityProfile?.refusals ?? {};
  return refusals[key];
}

/** If a value ends with a question mark, as a label may, the text's own question mark is left out. */
function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}(\s*[?？؟])?/gu, (marker, name: string, question = "") => {
    const value = values[name];
    if (value === undefined) return marker;
    return /[?？؟]\s*$/u.test(value) ? value : value + question;
  });
}

const NONE_OF_THESE: ReadonlySet<string> = new Set(
  TEXT_LANGUAGES.map((language) => normaliseText(WORDINGS[language].noneOfThese)),
);

/** Whether a text is the button "none of these", in the bot's own wording or in any language's. */
export function isNoneOfThese(text: string, texts: Pick<BotTexts, "say">): boolean {
  const written = normaliseText(text.trim());
  return NONE_OF_THESE.has(written) || written === ownNoneOfThese(texts);
}

const ownTexts = new WeakMap<Pick<BotTexts, "say">, string>();

/** A bot's own wording, normalised once. */
function ownNoneOfThese(texts: Pick<BotTexts, "say">): string {
  let own = ownTexts.get(texts);
  if (own === undefined) ownTexts.set(texts, (own = normaliseText(texts.say("noneOfThese"))));
  return own;
}
