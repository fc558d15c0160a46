/**
 * How well the glosses of foreign bots serve: `bun test/bench/realistic/gloss.ts [--missing]`. For each tuning bot that is not English, the
 * share of messages in scope whose intent is the first, or among the first three, of the sentence encoder and kernel ridge alone: with
 * texts as they are, glossed word by word, and glossed. Then the share of words that no table knows, and with `--missing` those words.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

import { parse } from "yaml";

import { trainRidge, scoreByRidge } from "../../../src/intent/encoder/ridge.ts";
import { asEncoded, openSentenceEncoder } from "../../../src/intent/encoder/sentence-encoder.ts";
import { glossText } from "../../../src/intent/gloss/gloss-text.ts";
import { glossWord } from "../../../src/intent/gloss/gloss-word.ts";
import { glossTablesOf } from "../../../src/intent/gloss/open-tables.ts";
import { splitWords } from "../../../src/intent/gloss/split-words.ts";
import { LANGUAGES, type Language, oncePerLanguage } from "../../../src/text/languages.ts";
import { normaliseText } from "../../../src/text/normalise.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";

interface Bot {
  intents: readonly { name: string; examples: readonly string[] }[];
}
interface Message {
  text: string;
  intent?: string | null;
  kind?: string;
  previous?: string;
}
type Gloss = (text: string, language: Language) => string;

const LANGUAGE_OF_BOT: Record<string, Language> = {
  zahnarzt: "de",
  "werkstatt-brandt": "de",
  "academia-mosaico": "es",
  "fournil-garance": "fr",
  "ottica-lume": "it",
  celtec: "pt",
};
const HERE = new URL(".", import.meta.url);
const SHARED = pathToFileURL(
  `${process.env["PARLEY_INTENT_DATA"] ?? fileURLToPath(new URL("../../../../shared/intent-data", HERE))}/realistic/`,
);

function readBot(id: string): Bot {
  const folder = id === "zahnarzt" ? SHARED : new URL("bots/", HERE);
  const document = parse(readFileSync(new URL(`${id}.yaml`, folder), "utf8")) as Bot & { bots?: Bot[] };
  return document.bots?.[0] ?? document;
}

function readMessages(id: string): Message[] {
  const folder = id === "zahnarzt" ? SHARED : new URL("messages/", HERE);
  return readFileSync(new URL(`${id}.jsonl`, folder), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Message);
}

/** The first English word of each entry of the glossary. */
const firstGlosses = oncePerLanguage((language) => {
  const file = new URL(`../../../src/text/languages/${language}/glossary.txt`, HERE);
  const entries = normaliseText(readFileSync(file, "utf8")).trimEnd().split("\n");
  return new Map(entries.map((line) => line.split(" ") as [string, string]));
});

function glossWordByWord(text: string, language: Language): string {
  const glosses = firstGlosses(language);
  const words = splitWords(text, language).map(({ text: word }) => {
    for (let length = word.length; length >= 3; length--) {
      const gloss = glosses.get(`${word.slice(0, length)}*`);
      if (gloss !== undefined) return glosses.get(word) ?? gloss;
    }
    return glosses.get(word) ?? word;
  });
  return words.join(" ");
}

const encoder = openSentenceEncoder();
if (!encoder) throw new Error("this processor or runtime has no SIMD");

function ranks(bot: Bot, messages: readonly Message[], gloss: (text: string) => string): number[] {
  const encode = (text: string) => encoder!.encodeCentred(asEncoded(gloss(text))) ?? new Float32Array(512);
  const examples = bot.intents.flatMap(({ examples: texts }, intent) =>
    texts.map((text) => ({ vector: encode(text), intent })),
  );
  const model = trainRidge(
    examples.map(({ vector }) => vector),
    examples.map(({ intent }) => intent),
    bot.intents.length,
  );
  return messages.map(({ text, intent }) => {
    const { probabilities } = scoreByRidge(model, encode(text));
    const own = probabilities[bot.intents.findIndex(({ name }) => name === intent)]!;
    return probabilities.filter((probability) => probability > own).length;
  });
}

const share = (count: number, of: number) => (count / of).toFixed(3);

function unknownWords(texts: readonly string[], language: Language) {
  const counts = new Map<string, number>();
  let words = 0;
  for (const text of texts) {
    const said = new Set(glossText(text, language).split(/[ ?]/));
    for (const word of splitWords(text, language)) {
      if (/^\p{N}/u.test(word.text)) continue;
      words++;
      const isKnown = glossWord(word, glossTablesOf(language).table, language) !== undefined;
      if (!isKnown && said.has(word.text)) counts.set(word.text, (counts.get(word.text) ?? 0) + 1);
    }
  }
  const unknown = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { share: share(unknown, words), words: [...counts].toSorted((a, b) => b[1] - a[1]) };
}

function reportUnknown(title: string, texts: readonly string[], language: Language): void {
  const unknown = unknownWords(texts, language);
  console.log(`${title}: ${unknown.share} unknown`);
  if (process.argv.includes("--missing")) console.log(`  ${unknown.words.map(([word]) => word).join(" ")}`);
}

const WAYS: Record<string, Gloss> = {
  "as it is": (text) => text,
  "word by word": glossWordByWord,
  glossed: glossText,
};
const all = new Map(Object.keys(WAYS).map((way) => [way, [] as number[]]));
for (const [id, language] of Object.entries(LANGUAGE_OF_BOT)) {
  const bot = readBot(id);
  const messages = readMessages(id).filter(({ intent, kind, previous }) => intent && !kind && !previous);
  const cells = Object.entries(WAYS).map(([way, gloss]) => {
    const found = ranks(bot, messages, (text) => gloss(text, language));
    all.get(way)!.push(...found);
    return `${way} ${summary(found)}`;
  });
  console.log(`${id} (${language}, ${messages.length}): ${cells.join("; ")}`);
}
console.log(`all: ${[...all].map(([way, found]) => `${way} ${summary(found)}`).join("; ")}`);

function summary(found: readonly number[]): string {
  const within = (most: number) => share(found.filter((rank) => rank < most).length, found.length);
  return `${within(1)} / ${within(3)}`;
}

for (const [id, language] of Object.entries(LANGUAGE_OF_BOT)) {
  const examples = readBot(id).intents.flatMap(({ examples: texts }) => texts);
  reportUnknown(`examples of ${id}`, examples, language);
  reportUnknown(
    `messages of ${id}`,
    readMessages(id).map(({ text }) => text),
    language,
  );
}
for (const language of LANGUAGES.filter((one) => one !== "en")) {
  const requests = generalRequestsIn(language);
  glossTablesOf(language);
  for (const request of requests) glossText(request, language);
  const startedAt = performance.now();
  for (const request of requests) glossText(request, language);
  const ms = (performance.now() - startedAt) / requests.length;
  reportUnknown(`general requests in ${language} (${ms.toFixed(3)} ms each)`, requests, language);
}
