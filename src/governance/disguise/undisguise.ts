import { type Classifier } from "../../domain/decision.ts";
import { normaliseText } from "../../text/normalise.ts";
import { asSeen } from "./characters.ts";
import { type Chunk, chunksOf, joinSpelled, rejoinBroken, textOf } from "./chunks.ts";
import { decoded, reversed, rotated } from "./encodings.ts";
import { mainScriptOf, withoutLookAlikes } from "./look-alikes.ts";
import { plainWord, type KnowsWord } from "./plain-word.ts";

/** Signs at both ends of a word that belong to the sentence. */
const AROUND_WORD = /^([^\p{L}\p{N}@$!|]*)(.*?)([^\p{L}\p{M}\p{N}@$|]*)$/su;
/** A request without spaces has 20 to 60 characters, twice as many with dots in between. Longer runs are links or data. */
const MAX_DISGUISED_LENGTH = 120;
/** Limits the number of look-ups for a message of thousands of unknown words. */
const MAX_WORDS_ASKED = 6000;
/** In ROT13 or reversed text hardly any word is known; decoded, most are. Chosen by hand. */
const MAX_KNOWN_IF_TURNED = 0.34;
const MIN_KNOWN_TURNED_BACK = 0.6;

function plainChunk({ text, space }: Chunk, knows: KnowsWord): Chunk {
  if (text.length > MAX_DISGUISED_LENGTH) return { text, space };
  const [, before = "", core = "", after = ""] = AROUND_WORD.exec(text) ?? [];
  return { text: before + plainWord(core, knows) + after, space };
}

/** The script for reading look-alike letters: Latin if every letter of the message has a Latin reading. */
function scriptAround(text: string): ReturnType<typeof mainScriptOf> {
  const script = mainScriptOf(text);
  if (script === "latin" || script === "other") return script;
  const letters = text.match(/\p{L}+/gu) ?? [];
  const allLatin = letters.every((word) => !/[^\p{Script=Latin}]/u.test(withoutLookAlikes(word, "latin")));
  return allLatin ? "latin" : script;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? [];

function knownShare(text: string, knows: KnowsWord): number {
  const words = wordsOf(text);
  return words.length === 0 ? 1 : words.filter((word) => knows(word)).length / words.length;
}

/** The decoded text, if it is in ROT13 or reversed; else undefined. */
function turnedWhole(text: string, knows: KnowsWord): string | undefined {
  if (knownShare(text, knows) > MAX_KNOWN_IF_TURNED) return undefined;
  return [rotated(text), reversed(text)].find((other) => knownShare(other, knows) >= MIN_KNOWN_TURNED_BACK);
}

/** The decoded text, or the text with each decodable part between punctuation, if the part has more than one word. */
function turned(text: string, knows: KnowsWord): string {
  const turnedPart = (part: string) =>
    (wordsOf(part).length > 1 ? turnedWhole(part, knows) : undefined) ?? part;
  const whole = turnedWhole(text, knows);
  return whole ?? turnedRuns(text.replaceAll(/[^\s.!?,;:][^.!?,;:\n]*/g, turnedPart), knows);
}

/** Decodes runs of unknown words among normal ones, from the first to the last word that is known when decoded. */
function turnedRuns(text: string, knows: KnowsWord): string {
  let turnedText = "";
  let kept = 0;
  for (const run of unknownRuns(text, knows)) {
    for (const turn of [rotated, reversed]) {
      const telling = run.filter(({ word }) => knows(turn(word)));
      const [first, last] = [telling[0], telling.at(-1)];
      if (first === undefined || first === last) continue;
      const [start, end] = [first.start, last!.start + last!.word.length];
      const piece = turn(text.slice(start, end));
      if (knownShare(piece, knows) < MIN_KNOWN_TURNED_BACK) continue;
      turnedText += text.slice(kept, start) + piece;
      kept = end;
      break;
    }
  }
  return kept === 0 ? text : turnedText + text.slice(kept);
}

interface PlacedWord {
  word: string;
  start: number;
}

function unknownRuns(text: string, knows: KnowsWord): PlacedWord[][] {
  const runs: PlacedWord[][] = [[]];
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]{2,}/gu)) {
    if (!knows(word)) runs.at(-1)!.push({ word, start: index });
    else if (runs.at(-1)!.length > 0) runs.push([]);
  }
  return runs.filter(({ length }) => length > 1);
}

// oxlint-disable-next-line no-control-regex -- the range is ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** The message in plain letters, without look-alikes and styled letters. */
function inPlainLetters(text: string): string {
  if (ASCII.test(text)) return text;
  const seen = asSeen(text);
  const around = scriptAround(seen);
  return seen.replaceAll(/[^\s\p{P}]+/gu, (word) =>
    ASCII.test(word) ? word : withoutLookAlikes(word, around),
  );
}

function undisguised(text: string, knows: KnowsWord): string {
  const joined = joinSpelled(chunksOf(turned(inPlainLetters(text), knows)));
  const plain = rejoinBroken(joined, knows).map((chunk) => plainChunk(chunk, knows));
  return textOf(rejoinBroken(plain, knows));
}

const compared = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll(/\s+/gu, " ").trim();

/** Caches look-ups and limits their number, to bound the cost of a message. */
function askedOnce(knows: KnowsWord): KnowsWord {
  const answers = new Map<string, boolean>();
  return (word) => {
    const known = answers.get(word) ?? (answers.size < MAX_WORDS_ASKED && knows(word));
    if (answers.size < MAX_WORDS_ASKED) answers.set(word, known);
    return known;
  };
}

/**
 * The message without its disguises: at most two readings that differ from it in more than case, spacing and compatibility forms. Normal
 * text mostly has none. `knows` (the words in the bot's examples) decides what `d3l3t3`, `de lete` or `deletemyaccount` stand for.
 */
export function undisguisedReadings(text: string, knows: KnowsWord): string[] {
  const knowsWord = askedOnce(knows);
  const plain = decoded(text);
  const readings = new Map([[compared(text), text]]);
  for (const base of plain === text ? [text] : [text, plain]) {
    const reading = undisguised(base, knowsWord);
    const key = compared(reading);
    if (!readings.has(key)) readings.set(key, reading);
  }
  return [...readings.values()].slice(1);
}

/** A single unreadable word may be a name, an abbreviation or a typing error. */
const MIN_GARBLED = 2;
const MIN_TURNED_LENGTH = 4;
/** For example "dlt" and "ccnt". */
const WITHOUT_VOWELS = /^[b-df-hj-np-tv-xz]{3,}$/i;
/** Addresses consist of abbreviations, so they are left out. */
const ADDRESS = /\S*(?:@|:\/\/|\.\p{L})\S*/gu;
/** For example "DHL". */
const IN_CAPITALS = /^\p{Lu}+$/u;

/** Whether some words of a text are unreadable, so that its request is unknown: without vowels, or real words in ROT13 or reversed. */
export function isGarbled(
  text: string,
  { knows, isRealWord }: Pick<Classifier, "knows" | "isRealWord">,
): boolean {
  const found = new Set<string>();
  for (const [written] of text.replaceAll(ADDRESS, " ").matchAll(/\p{L}{3,}/gu)) {
    const word = normaliseText(written);
    if (knows(word) || isRealWord(word)) continue;
    const isTurned =
      word.length >= MIN_TURNED_LENGTH && [rotated(word), reversed(word)].some((one) => isRealWord(one));
    if (isTurned || (WITHOUT_VOWELS.test(written) && !IN_CAPITALS.test(written))) found.add(word);
    if (found.size >= MIN_GARBLED) return true;
  }
  return false;
}
