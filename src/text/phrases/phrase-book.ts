import { beginningsOf, collectWords, mayBeEmpty, mirrored, parsePattern, type Pattern } from "./pattern.ts";
import { type Phrase, PhraseMatcher } from "./phrase-matcher.ts";

/** The phrases of one language with all their words. */
export interface PhraseBook<Section extends string> {
  vocabulary: ReadonlySet<string>;
  matcher: PhraseMatcher<Section>;
}

/**
 * Parses a book: `[section]` lines, one pattern (see pattern.ts) per line below, `$NAME = pattern` definitions, `#` comments. @throws Error
 * if a line is invalid or outside a known section.
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
    else phrases.push(...phrasesIn(parsePattern(line, named), section));
  }
  const matcher = new PhraseMatcher(phrases);
  return { vocabulary: wordsIn(matcher), matcher };
}

/** Words at the start of phrases come first, so that misspellings are corrected to them first. */
function wordsIn({ phrases, byBeginning }: PhraseMatcher<string>): Set<string> {
  const words = new Set<string>();
  const seen = new Set<Pattern>();
  for (const number of [...byBeginning.values()].flat()) collectWords(phrases[number]!.pattern, words, seen);
  return words;
}

function knownSection<Section extends string>(name: string, sections: readonly Section[]): Section {
  const section = sections.find((known) => known === name);
  if (section === undefined) throw new Error(`no section is called [${name}]`);
  return section;
}

/** Each alternative of a line becomes its own phrase, so that phrases can be indexed by first word. */
function phrasesIn<Section extends string>(line: Pattern, section: Section): Phrase<Section>[] {
  const patterns = line.kind === "choice" ? line.options : [line];
  for (const pattern of patterns) {
    const words = beginningsOf(pattern);
    if (!mayBeEmpty(pattern) && !words.has(undefined)) continue;
    const known = [...words].map((word) => word ?? "*").join(" ");
    throw new Error(
      `no word need be at the beginning of a phrase in [${section}] that may begin with: ${known}`,
    );
  }
  return patterns.map((pattern) => ({ section, pattern }));
}

/** The same book for messages with their words in reverse order. */
export function mirroredBook<Section extends string>({
  vocabulary,
  matcher,
}: PhraseBook<Section>): PhraseBook<Section> {
  const known = new Map<Pattern, Pattern>();
  const turned = matcher.phrases.map(({ section, pattern }) => ({
    section,
    pattern: mirrored(pattern, known),
  }));
  return { vocabulary, matcher: new PhraseMatcher(turned) };
}
