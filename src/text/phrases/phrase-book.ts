import {
  beginningsOf,
  collectWords,
  endsOf,
  parsePattern,
  type Pattern,
  positionsIn,
  type WordAt,
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
  const book = { vocabulary: new Set<string>(), phrases: new Map<string, Phrase<Section>[]>() };
  let section: Section | undefined;
  for (const line of text.split("\n").map((raw) => raw.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const definition = /^\$(\w+) = (.+)$/.exec(line);
    const heading = /^\[([\w-]+)\]$/.exec(line)?.[1];
    if (definition) named.set(definition[1]!, parsePattern(definition[2]!, named));
    else if (heading !== undefined) section = knownSection(heading, sections);
    else if (section === undefined) throw new Error(`"${line}" stands in no section`);
    else addPhrases(book, section, parsePattern(line, named));
  }
  const seen = new Set<Pattern>();
  for (const { pattern } of [...book.phrases.values()].flat()) collectWords(pattern, book.vocabulary, seen);
  return book;
}

function knownSection<Section extends string>(name: string, sections: readonly Section[]): Section {
  const section = sections.find((known) => known === name);
  if (section === undefined) throw new Error(`no section is called [${name}]`);
  return section;
}

/** Each alternative of a line is a phrase of its own, so that only those are looked at that begin with a message's word. */
function addPhrases<Section extends string>(
  { phrases }: { phrases: Map<string, Phrase<Section>[]> },
  section: Section,
  line: Pattern,
): void {
  for (const pattern of line.kind === "choice" ? line.options : [line]) {
    const { words, mayBeEmpty } = beginningsOf(pattern);
    if (mayBeEmpty || words.has(undefined)) {
      const known = [...words].join(" ");
      throw new Error(
        `no word need be at the beginning of a phrase in [${section}] that may begin with: ${known}`,
      );
    }
    const phrase = { section, pattern };
    for (const word of words) {
      if (!phrases.has(word!)) phrases.set(word!, []);
      phrases.get(word!)!.push(phrase);
    }
  }
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
