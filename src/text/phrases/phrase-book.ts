import {
  beginningsOf,
  endsOf,
  type NamedPatterns,
  parsePattern,
  type Pattern,
  positionsIn,
  type WordAt,
  wordsIn,
} from "./pattern.ts";

interface Phrase<Section extends string> {
  section: Section;
  pattern: Pattern;
}

/** The phrases of one language, by what they are for, and all their words. */
export interface PhraseBook<Section extends string> {
  vocabulary: ReadonlySet<string>;
  /** By the word that they begin with. */
  phrases: ReadonlyMap<string, readonly Phrase<Section>[]>;
}

/**
 * Reads a book: `[section]` lines, a pattern (see pattern.ts) in each line below, `$NAME = pattern` for what is used again, `#` before a remark.
 * @throws Error where a line cannot be read, or stands in no known section.
 */
export function parsePhraseBook<Section extends string>(
  text: string,
  sections: readonly Section[],
): PhraseBook<Section> {
  const named = new Map<string, Pattern>();
  const phrases: Phrase<Section>[] = [];
  let section: Section | undefined;
  for (const line of text.split("\n").map((raw) => raw.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const definition = /^\$(\w+) = (.+)$/.exec(line);
    const heading = /^\[([\w-]+)\]$/.exec(line)?.[1];
    if (definition) named.set(definition[1]!, parsePattern(definition[2]!, named));
    else if (heading !== undefined) section = knownSection(heading, sections);
    else if (section === undefined) throw new Error(`"${line}" stands in no section`);
    else phrases.push({ section, pattern: parsePhrase(line, named) });
  }
  return {
    vocabulary: new Set(phrases.flatMap(({ pattern }) => wordsIn(pattern))),
    phrases: byBeginning(phrases),
  };
}

function knownSection<Section extends string>(name: string, sections: readonly Section[]): Section {
  const section = sections.find((known) => known === name);
  if (section === undefined) throw new Error(`no section is called [${name}]`);
  return section;
}

function parsePhrase(line: string, named: NamedPatterns): Pattern {
  const pattern = parsePattern(line, named);
  const { words, mayBeEmpty } = beginningsOf(pattern);
  if (mayBeEmpty || words.has(undefined)) throw new Error(`no word need be at the beginning of "${line}"`);
  return pattern;
}

function byBeginning<Section extends string>(
  phrases: readonly Phrase<Section>[],
): Map<string, Phrase<Section>[]> {
  const found = new Map<string, Phrase<Section>[]>();
  for (const phrase of phrases) {
    for (const word of beginningsOf(phrase.pattern).words) {
      if (!found.has(word!)) found.set(word!, []);
      found.get(word!)!.push(phrase);
    }
  }
  return found;
}

/** A phrase of a message: from one position among its words to another. */
export interface FoundPhrase<Section extends string> {
  section: Section;
  start: number;
  end: number;
}

/** The phrases of a book that begin at a position, in every length that they may have. */
export function phrasesAt<Section extends string>(
  { phrases }: PhraseBook<Section>,
  wordAt: WordAt,
  start: number,
): FoundPhrase<Section>[] {
  return (phrases.get(wordAt(start) ?? "") ?? []).flatMap(({ section, pattern }) =>
    positionsIn(endsOf(pattern, 1 << start, wordAt)).map((end) => ({ section, start, end })),
  );
}
