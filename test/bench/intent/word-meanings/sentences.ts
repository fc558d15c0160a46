import { readFileSync } from "node:fs";

import { type Random, seededRandom } from "../../../../src/intent/training/random.ts";
import { pickOne } from "../pick.ts";
import type { Word } from "./glove.ts";
import { dot } from "./principal-axes.ts";

/** A word that stands for others in requests says at least so much, and one that takes its place so much. */
const LEAST_WEIGHT = { replaced: 0.3, replacing: 0.15 };
/** Requests are taken from those that hold one of so many words, the nearest ones. */
const NEIGHBOURS = 12;
/** Above 1: nearer ones more often. */
const PREFERENCE = 1.5;
const SHORTEST = 3;
const LONGEST = 14;
const WORDNET_FILES = ["data.noun", "data.verb", "data.adj", "data.adv"];

/** Short English texts in which nearly all of these words occur: the words alone, requests, and what WordNet says of them. */
export function composeSentences(
  words: readonly Word[],
  requests: readonly string[],
  wordNet: string,
): string[] {
  const random = seededRandom(7);
  const plain = requests.map((request) => request.toLowerCase().replace(/[?!.]+$/, ""));
  return [
    ...new Set([
      ...words.map(({ text }) => text),
      ...plain,
      ...replaceWords(words, plain, random),
      ...readWordNet(wordNet, words, random),
    ]),
  ];
}

/** Requests with one word replaced by another that is used like it, several for each word. */
function replaceWords(words: readonly Word[], requests: readonly string[], random: Random): string[] {
  const replaceable = new Map(
    words.filter(({ weight }) => weight >= LEAST_WEIGHT.replaced).map((word) => [word.text, word]),
  );
  const holdings = requests.flatMap((request) =>
    [...new Set(request.match(/[a-z]+/g))].flatMap((text) => {
      const word = replaceable.get(text);
      return word ? [{ request, word }] : [];
    }),
  );
  const holders = Map.groupBy(holdings, ({ word }) => word);
  const held = [...holders.keys()];
  return words
    .filter(({ weight }) => weight >= LEAST_WEIGHT.replacing)
    .flatMap((word) => {
      const nearest = nearestOf(word, held);
      return Array.from({ length: requestsFor(word) }, () => {
        const other = nearest[Math.floor(random() ** PREFERENCE * nearest.length)]!;
        const { request } = pickOne(holders.get(other)!, random);
        return request.replace(new RegExp(String.raw`\b${other.text}\b`), word.text);
      });
    });
}

function requestsFor({ rank }: Word): number {
  if (rank < 3000) return 6;
  return rank < 10_000 ? 4 : 2;
}

function nearestOf(word: Word, others: readonly Word[]): Word[] {
  const near: { other: Word; similarity: number }[] = [];
  for (const other of others) {
    if (other === word) continue;
    const similarity = dot(word.vector, other.vector);
    if (near.length === NEIGHBOURS && similarity <= near.at(-1)!.similarity) continue;
    let at = near.length;
    while (at > 0 && similarity > near[at - 1]!.similarity) at--;
    near.splice(at, 0, { other, similarity });
    if (near.length > NEIGHBOURS) near.pop();
  }
  return near.map(({ other }) => other);
}

/** Examples of use, and definitions of these words, every second one behind its word. */
function readWordNet(folder: string, words: readonly Word[], random: Random): string[] {
  const texts = new Set(words.map(({ text }) => text));
  return WORDNET_FILES.flatMap((file) =>
    readFileSync(`${folder}/${file}`, "latin1")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith(" "))
      .flatMap((line) => readEntry(line, texts, random)),
  );
}

/** A line of WordNet: `offset file type count word id word id … | definition; "example"; …`, the count in hexadecimal digits. */
function readEntry(line: string, texts: ReadonlySet<string>, random: Random): string[] {
  const bar = line.indexOf("|");
  const fields = line.slice(0, bar).split(" ");
  const gloss = line.slice(bar + 1).toLowerCase();
  const examples = Array.from(gloss.matchAll(/"([^"]+)"/g), ([, text]) => text!.trim()).filter((text) =>
    hasWords(text, SHORTEST),
  );
  const definition = gloss
    .replaceAll(/"[^"]*"|\([^)]*\)/g, "")
    .split(";")[0]!
    .trim();
  const defined = Array.from({ length: Number.parseInt(fields[3]!, 16) }, (_, i) =>
    fields[4 + 2 * i]!.toLowerCase().replace(/\(.*\)/, ""),
  ).filter((word) => texts.has(word));
  if (defined.length === 0 || !hasWords(definition, SHORTEST - 1)) return examples;
  return [...examples, random() < 0.5 ? definition : `${pickOne(defined, random)} ${definition}`];
}

function hasWords(text: string, least: number): boolean {
  const count = text.split(/\s+/).length;
  return count >= least && count <= LONGEST;
}
