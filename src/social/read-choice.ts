import type { Language } from "../text/languages.ts";
import { type MessageWord, wordsOfMessage } from "../text/phrases/message-words.ts";
import { phrasesOf, type ReadPhrase, coversFrom, MAX_WORDS } from "../text/phrases/phrase-reader.ts";
import { choicePhrasesIn, type ChoiceSection, ORDINALS } from "./choice-phrases.ts";
import { labelsWith, plainWords } from "./label-words.ts";
import { languagesFrom } from "./read-courtesies.ts";
import { sectionOfEmoji } from "./social-phrases.ts";

/** A visitor's choice: indexes of the chosen options in order; or none of them. */
export type Choice = { kind: "some"; indexes: readonly number[] } | { kind: "none" };

/** The options that a visitor can choose from. */
export interface Offer {
  /** Best first. */
  labels: readonly string[];
  /** Label of the button that rejects all options. */
  noneLabel?: string | undefined;
  /** The bot's language, a BCP 47 tag; its words have precedence. */
  language?: string | undefined;
}

/**
 * The choice that a message makes, if it does nothing else: by a label or a word that only one option has, by position ("the second"), by
 * "both", "all", or "yes" to a single option, or by refusing. Undefined if it may be a message of another kind.
 */
export function readChoice(text: string, offer: Offer): Choice | undefined {
  const message = wordsOfMessage(text);
  if (message.length === 0 || message.length > MAX_WORDS) return undefined;
  const labels = offer.labels.map(plainWords);
  const exact = exactChoice(message, labels, offer.noneLabel);
  if (exact !== undefined) return exact;
  const [own] = languagesFrom(offer.language);
  for (const language of languagesFrom(offer.language)) {
    const parts = partsOf(message, labels, { language, withTypos: language === own || language === "en" });
    const choice = parts && choiceOf(parts, labels.length, { text, message });
    if (choice !== undefined) return choice;
  }
  return undefined;
}

function exactChoice(
  message: readonly MessageWord[],
  labels: readonly (readonly string[])[],
  noneLabel = "",
): Choice | undefined {
  const said = message.map((word) => word.text).join(" ");
  if (said === plainWords(noneLabel).join(" ")) return { kind: "none" };
  const index = labels.findIndex((words) => words.length > 0 && words.join(" ") === said);
  return index < 0 ? undefined : { kind: "some", indexes: [index] };
}

/** A part of a message that chooses: a phrase, or a word of some labels. */
type ChoicePart = ReadPhrase<ChoiceSection | "label"> & { labels?: readonly number[] };

/** The parts of a message that is only a choice. */
function partsOf(
  message: readonly MessageWord[],
  labels: readonly (readonly string[])[],
  { language, withTypos }: { language: Language; withTypos: boolean },
): readonly ChoicePart[] | undefined {
  const phrasesFrom = phrasesOf(message, choicePhrasesIn(language), { withTypos });
  const { vocabulary } = choicePhrasesIn(language).book;
  const partsFrom = (position: number): ChoicePart[] => {
    const { kind, text } = message[position]!;
    const place = { start: position, end: position + 1, language };
    if (kind === "emoji") return [{ section: sectionOfChoosingEmoji(text), ...place }];
    const named = vocabulary.has(text) ? [] : labelsWith(text, labels);
    const label: ChoicePart[] = named.length > 0 ? [{ section: "label", labels: named, ...place }] : [];
    return [...label, ...phrasesFrom(position)];
  };
  return coversFrom<ChoiceSection | "label">(0, message.length, partsFrom).get(message.length);
}

function sectionOfChoosingEmoji(emoji: string): ChoiceSection {
  const section = sectionOfEmoji(emoji);
  return section === "yes" || section === "no" ? section : "filler";
}

interface Said {
  text: string;
  message: readonly MessageWord[];
}

function choiceOf(parts: readonly ChoicePart[], count: number, said: Said): Choice | undefined {
  const has = (section: ChoiceSection) => parts.some((part) => part.section === section);
  const chosen = new Set(parts.flatMap((part) => indexesOf(part, count)));
  const shared = parts.flatMap(({ labels }) => (labels && labels.length > 1 ? [labels] : []));
  if (shared.some((labels) => !labels.some((index) => chosen.has(index)))) return undefined;
  if (chosen.size === 0) return answerWithoutName(has, count);
  if (has("none") || deniesOne(parts, said)) return undefined;
  const indexes = [...chosen].toSorted((left, right) => left - right);
  const isJoined = has("and") || has("both") || has("all") || /[,&+/]/.test(said.text);
  const isOffered = indexes.every((index) => index < count);
  return isOffered && (indexes.length === 1 || isJoined) ? { kind: "some", indexes } : undefined;
}

/** "yes" takes a single option; "none" and "no" refuse. */
function answerWithoutName(has: (section: ChoiceSection) => boolean, count: number): Choice | undefined {
  if (has("both")) return undefined;
  if (has("none")) return { kind: "none" };
  if (has("yes") && has("no")) return undefined;
  if (has("no")) return { kind: "none" };
  return has("yes") && count === 1 ? { kind: "some", indexes: [0] } : undefined;
}

/** The indexes that a part names; out of range if there are fewer options. */
function indexesOf({ section, labels }: ChoicePart, count: number): readonly number[] {
  const everything = Array.from({ length: count }, (_, index) => index);
  if (section === "label") return labels!.length === 1 ? labels! : [];
  if (section === "last") return [count - 1];
  if (section === "both") return count === 2 ? everything : [];
  if (section === "all") return count > 1 ? everything : [];
  const place = ORDINALS.findIndex((ordinal) => ordinal === section);
  return place < 0 ? [] : [place];
}

/** "no el primero" refuses one; "no, el segundo" chooses another. */
function deniesOne(parts: readonly ChoicePart[], { text, message }: Said): boolean {
  return parts.some(({ section, end }) => {
    if (section !== "no" || end >= message.length) return false;
    return !/[.,;:!–-]/.test(text.slice(message[end - 1]!.end, message[end]!.start));
  });
}
