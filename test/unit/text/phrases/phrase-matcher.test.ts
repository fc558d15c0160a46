import { expect, test } from "bun:test";

import fc from "fast-check";

import { mayBeEmpty, mirrored, type Pattern } from "../../../../src/text/phrases/pattern.ts";
import { type Phrase, PhraseMatcher } from "../../../../src/text/phrases/phrase-matcher.ts";

type Section = "one" | "two";

/** What a pattern means: where it may end in some words, if it begins at a position. */
function endsOf(pattern: Pattern, words: readonly string[], start: number): Set<number> {
  const behind = (holds: boolean) => new Set(holds && start < words.length ? [start + 1] : []);
  if (pattern.kind === "word") return behind(words[start] === pattern.word);
  if (pattern.kind === "words") return behind(pattern.words.has(words[start] ?? ""));
  if (pattern.kind === "anyWord") return behind(true);
  if (pattern.kind === "choice") return union(pattern.options, (option) => endsOf(option, words, start));
  if (pattern.kind === "sequence") {
    return pattern.parts.reduce(
      (ends, part) => union(ends, (end) => endsOf(part, words, end)),
      new Set([start]),
    );
  }
  const further = union(endsOf(pattern.part, words, start), (end) =>
    end > start ? endsOf(pattern, words, end) : new Set<number>(),
  );
  return further.add(start);
}

function union<Item>(items: Iterable<Item>, endsOfItem: (item: Item) => Set<number>): Set<number> {
  return new Set([...items].flatMap((item) => [...endsOfItem(item)]));
}

/** The sections that the phrases have which are the given words. */
function sectionsOf(matcher: PhraseMatcher<Section>, words: readonly string[]): readonly Section[] {
  let matched: typeof matcher.start | null = matcher.start;
  for (const word of words) matched = matched && matcher.after(matched, word);
  return matched?.sections ?? [];
}

const WORDS = ["a", "b", "c", "d"];
const { pattern: anyPattern } = fc.letrec<{ pattern: Pattern }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    fc.record({ kind: fc.constant("word" as const), word: fc.constantFrom(...WORDS) }),
    fc.record({
      kind: fc.constant("words" as const),
      words: fc.uniqueArray(fc.constantFrom(...WORDS)).map((words) => new Set(words)),
    }),
    fc.record({ kind: fc.constant("anyWord" as const) }),
    fc.record({ kind: fc.constant("repeated" as const), part: tie("pattern") }),
    fc.record({ kind: fc.constant("choice" as const), options: fc.array(tie("pattern"), { maxLength: 3 }) }),
    fc.record({ kind: fc.constant("sequence" as const), parts: fc.array(tie("pattern"), { maxLength: 3 }) }),
  ),
}));
const anyPhrases: fc.Arbitrary<Phrase<Section>[]> = fc.array(
  fc.record({
    section: fc.constantFrom("one" as const, "two" as const),
    pattern: anyPattern.filter((pattern) => !mayBeEmpty(pattern)),
  }),
  { minLength: 1, maxLength: 4 },
);
const anyMessages = fc.array(fc.array(fc.constantFrom(...WORDS, "x"), { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 10,
});

test("what is matched at once and step by step is what the patterns mean one by one", () => {
  fc.assert(
    fc.property(anyPhrases, anyMessages, (phrases, messages) => {
      const matcher = new PhraseMatcher(phrases);
      for (const words of messages) {
        const found = phrases.filter(({ pattern }) => endsOf(pattern, words, 0).has(words.length));
        expect(sectionsOf(matcher, words)).toEqual([...new Set(found.map(({ section }) => section))]);
      }
    }),
    { numRuns: 1000 },
  );
});

test("mirrored phrases match mirrored words", () => {
  fc.assert(
    fc.property(anyPhrases, anyMessages, (phrases, messages) => {
      const matcher = new PhraseMatcher(phrases);
      const known = new Map<Pattern, Pattern>();
      const turned = new PhraseMatcher(
        phrases.map(({ section, pattern }) => ({ section, pattern: mirrored(pattern, known) })),
      );
      for (const words of messages) {
        expect(sectionsOf(turned, words.toReversed())).toEqual(sectionsOf(matcher, words));
      }
    }),
  );
});

test("the steps that are remembered are limited, and what is matched stays the same without them", () => {
  const rest: Pattern = { kind: "words", words: new Set(["b", "c"]) };
  const matcher = new PhraseMatcher([
    { section: "one", pattern: { kind: "sequence", parts: [{ kind: "anyWord" }, rest] } },
    { section: "two", pattern: { kind: "sequence", parts: [{ kind: "word", word: "a" }, rest] } },
  ]);
  const begun = matcher.after(matcher.start, "a")!;
  for (let word = 0; word < 50_000; word++) matcher.after(matcher.start, `word ${word}`);
  expect(matcher.start.next.size).toBeLessThan(25_000);
  expect(matcher.after(begun, "b")?.sections).toEqual(["one", "two"]);
  expect(sectionsOf(matcher, ["x", "b"])).toEqual(["one"]);
  expect(sectionsOf(matcher, ["a", "c"])).toEqual(["one", "two"]);
  expect(sectionsOf(matcher, ["a", "a"])).toEqual([]);
});
