import { TEXT_LANGUAGES, type TextLanguage } from "../domain/texts.ts";
import { readFunctionWords } from "./function-words.ts";
import { type Language, LANGUAGES } from "./languages.ts";
import { normaliseText } from "./normalise.ts";

/** Languages that are recognised by their words; the other three have a script of their own. */
type WordLanguage = Exclude<TextLanguage, "ar" | "ja" | "zh">;

/** Frequent words in bots' examples, mostly pronouns, articles, prepositions and question words. */
const FREQUENT_WORDS: Record<WordLanguage, string> = {
  en: "the and to of i you my is it in for a do how can what where when on with your are have not this that be please we does or any from there at want need was which get me an if about",
  de: "der die das und ich sie ist nicht ein eine zu wie was wann kann mein meine mit für auf von es wir ihr den dem wo gibt haben habe bei einen auch im am oder noch bitte kein keine werden sind zum zur wird möchte",
  es: "el la de que y en los las un una mi es por para con no se lo cómo qué dónde cuándo cuánto puedo hay tengo quiero está mis al del su son necesito hacer pedido me si más tienen",
  fr: "le la les de des et un une je est pour dans que qui vous mon ma mes est-ce à du au ne pas comment où quand puis sur avec votre en ce il quel quelle ai peut sont avez faire combien mon",
  it: "il lo la gli di che e un una per con non sono mi mio mia è in del della dei come dove quando quanto posso ho avete si al alla più quali i le nel da cosa fare devo vorrei è",
  nl: "de het een en ik van je mijn is niet dat met voor op hoe wat waar wanneer kan ik jullie u te zijn er bij aan ook om maar naar heb hebben wil worden moet geen of nog mag dit",
  pt: "o a os as de que e um uma para com não meu minha como onde quando quanto posso no na do da dos das em é por se eu você tem mais qual está são fazer quero preciso ao vocês tenho",
  pl: "i w na nie się jest to z do jak gdzie kiedy czy mogę mam mój moja co po ile od dla jaki jakie jaka za o są moje państwo chcę przez ten mi która który można nie ma być",
  tr: "bir ve bu ne için mi mı mu ile var nasıl nerede zaman de da benim çok daha kadar hangi nedir istiyorum misiniz musunuz ben olarak yok kaç neden şu gibi sonra miyim değil olan siz bana edebilir",
};

/** Characters that occur almost only in one of these languages. */
const TELLING_LETTERS: readonly (readonly [RegExp, WordLanguage])[] = [
  [/[ßä]/, "de"],
  [/[ñ¿¡]/, "es"],
  [/[œêîû]/, "fr"],
  [/[ãõ]/, "pt"],
  [/[łąężźśćń]/, "pl"],
  [/[ığş]/, "tr"],
];

/** Minimum share of frequent words: sentences have a quarter and more, headings ("Termin absagen") a tenth. */
const MIN_SHARE = 0.05;
/** Minimum ratio of the best language's score to the second's, so that examples in two languages give none. Chosen by hand. */
const MIN_LEAD = 1.3;

type LanguagesByWord = ReadonlyMap<string, ReadonlySet<WordLanguage>>;

const frequentWords = languagesByWord((language) => FREQUENT_WORDS[language].split(" "));

/**
 * Frequent words, and the function words of the seven languages that have such a list (`LANGUAGES`); for short messages. Read on first use.
 */
let moreWords: LanguagesByWord | undefined;

const wordsOfMessages = (): LanguagesByWord =>
  (moreWords ??= languagesByWord((language) => [
    ...FREQUENT_WORDS[language].split(" "),
    ...(isLanguage(language) ? readFunctionWords(language) : []),
  ]));

const isLanguage = (language: string): language is Language => LANGUAGES.some((one) => one === language);

function languagesByWord(wordsIn: (language: WordLanguage) => readonly string[]): LanguagesByWord {
  const languages = new Map<string, Set<WordLanguage>>();
  for (const language of Object.keys(FREQUENT_WORDS) as WordLanguage[]) {
    for (const word of wordsIn(language).map(normaliseText)) {
      const known = languages.get(word) ?? new Set();
      languages.set(word, known.add(language));
    }
  }
  return languages;
}

/** Thresholds for detecting a language by its words. */
interface Evidence {
  /** Minimum score of the best language for each word of the text. */
  leastShare: number;
  /** Minimum ratio of its score to the second language's. */
  leastLead: number;
  fewestWords: number;
  /** Weight of a characteristic letter relative to a frequent word. */
  worthOfLetters: number;
}

const OF_EXAMPLES: Evidence = {
  leastShare: MIN_SHARE,
  leastLead: MIN_LEAD,
  fewestWords: 0,
  worthOfLetters: 0.5,
};
/**
 * Stricter thresholds for messages, because they are short and a wrong guess is visible to the visitor. Of a thousand requests in each of
 * seven languages, at most 1.3 % are taken for another of the twelve languages, and 42 to 83 % are recognised
 * (test/unit/text/language-of.test.ts).
 */
const OF_MESSAGE: Evidence = { leastShare: 0.2, leastLead: 2.4, fewestWords: 3, worthOfLetters: 1 };

/** The language of a bot's examples, if it is one of the twelve `TEXT_LANGUAGES` and the examples suffice. Pure and quick. */
export function languageOf(examples: readonly string[]): TextLanguage | undefined {
  const text = examples.join("\n").toLowerCase();
  return languageOfScript(text) ?? languageOfWords(text, frequentWords, OF_EXAMPLES);
}

/** Web and e-mail addresses, which are left out: their endings are words of some languages ("com", "de", "it"). */
const ADDRESS = /\S*(?:@|:\/\/|\.\p{L})\S*/gu;

/** The language of a visitor's message, if it is certainly one of the twelve. */
export function languageOfMessage(message: string): TextLanguage | undefined {
  const text = message.toLowerCase().replaceAll(ADDRESS, " ");
  return languageOfScript(text) ?? languageOfWords(text, wordsOfMessages(), OF_MESSAGE);
}

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

/** Decides by the script of most letters. Any kana means Japanese; letters that Arabic lacks mean Persian or Urdu. */
function languageOfScript(text: string): TextLanguage | undefined {
  const half = count(text, /\p{L}/gu) / 2;
  const arabic = count(text, /\p{Script=Arabic}/gu);
  if (arabic > half) return count(text, /[پچژگکی]/g) > arabic / 50 ? undefined : "ar";
  const kana = count(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const ideographs = count(text, /\p{Script=Han}/gu);
  if (kana + ideographs <= half) return undefined;
  return kana > 0 ? "ja" : "zh";
}

/** A word of n languages counts 1/n for each. */
function languageOfWords(
  text: string,
  languages: LanguagesByWord,
  { leastShare, leastLead, fewestWords, worthOfLetters }: Evidence,
): TextLanguage | undefined {
  const words = text.match(/[\p{Script=Latin}\p{M}'’]+|[¿¡]/gu) ?? [];
  if (words.length < fewestWords) return undefined;
  const scores = new Map<TextLanguage, number>();
  const add = (language: WordLanguage, worth: number) =>
    scores.set(language, (scores.get(language) ?? 0) + worth);
  for (const word of words) {
    const known = languages.get(normaliseText(word)) ?? new Set();
    for (const language of known) add(language, 1 / known.size);
    for (const [letters, language] of TELLING_LETTERS) if (letters.test(word)) add(language, worthOfLetters);
  }
  const [first, second] = [...scores].toSorted(([, left], [, right]) => right - left);
  if (first === undefined || first[1] < words.length * leastShare) return undefined;
  return first[1] >= (second?.[1] ?? 0) * leastLead ? first[0] : undefined;
}

/** The language of a tag, such as `de` for `de-AT`. */
export function textLanguageOf(tag: string | undefined): TextLanguage | undefined {
  const primary = tag?.toLowerCase().split("-")[0];
  return TEXT_LANGUAGES.find((language) => language === primary);
}
