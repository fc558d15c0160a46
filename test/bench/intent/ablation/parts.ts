import { join } from "node:path";

import { SENTENCE_SIGNALS } from "../../../../src/intent/sentences/sentence-signals.ts";

/** The folder that paths of edits count from. */
export const ROOT = join(import.meta.dir, "../../../..");

/** A change of one source file: `from` stands in it once, and becomes `to`. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

/** A part of the engine, and how it is left out. */
export interface Part {
  name: string;
  /** Its own files, and how many lines it takes in others: what would go with it. */
  files: readonly string[];
  otherLines: number;
  edits: readonly Edit[];
  /** Signals that are left out of both calibrations. */
  signals?: readonly string[];
}

const TRAINING = "src/intent/training";
const SCORING = "src/intent/scoring";
const SUSPICION = "src/governance/suspicion";

function edit(file: string, from: string, to: string): Edit {
  return { file, from, to };
}

/** Signals that may be left out of both calibrations: each by itself, and some together. */
export const SIGNAL_GROUPS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(SENTENCE_SIGNALS.map((signal) => [signal, [signal]])),
  "word similarity": ["similarityToKnown", "similarityToBest", "leastSimilarity"],
  "features for and against": ["featureWeightOfBest", "featureWeightAgainstBest"],
};

/** Every part that may be worth nothing. */
export const PARTS: readonly Part[] = [
  {
    name: "kernels with SIMD",
    files: [`${TRAINING}/kernels/simd.ts`, `${TRAINING}/kernels/training-kernel.c`],
    otherLines: 0,
    edits: [
      edit(
        `${TRAINING}/kernels/simd.ts`,
        "if (compiled.kernel === undefined) return PLAIN_ARENA;",
        "if (numbers >= 0) return PLAIN_ARENA;",
      ),
    ],
  },
  {
    name: "low-rank model of small bots",
    files: [`${TRAINING}/low-rank.ts`, `${TRAINING}/inverse-class-frequency.ts`],
    otherLines: 40,
    edits: [
      edit(`${TRAINING}/fit-linear.ts`, "add(blend, lowRank);", 'if (size === "many") add(blend, lowRank);'),
    ],
  },
  {
    name: "low-rank model of large bots",
    files: [],
    otherLines: 0,
    edits: [
      edit(`${TRAINING}/fit-linear.ts`, "add(blend, lowRank);", 'if (size === "few") add(blend, lowRank);'),
    ],
  },
  {
    name: "SVM of small bots",
    files: [],
    otherLines: 0,
    edits: [
      edit(
        `${TRAINING}/fit-linear.ts`,
        "scale(blend, svmShare(",
        'scale(blend, (size === "few" ? 0 : 1) * svmShare(',
      ),
    ],
  },
  {
    name: "SVM",
    files: [`${TRAINING}/svm.ts`],
    otherLines: 30,
    edits: [
      edit(
        `${TRAINING}/fit-linear.ts`,
        "return Math.min(most, Math.max(least, examplesPerIntent / SVM_SHARE.examplesPerIntent));",
        "return 0 * Math.min(most, Math.max(least, examplesPerIntent / SVM_SHARE.examplesPerIntent));",
      ),
    ],
  },
  {
    name: "inverse class frequency",
    files: [`${TRAINING}/inverse-class-frequency.ts`],
    otherLines: 4,
    edits: [
      edit(
        `${TRAINING}/low-rank.ts`,
        "this.#factors = inverseClassFrequency(set);",
        "this.#factors = inverseClassFrequency(set).fill(1);",
      ),
    ],
  },
  {
    name: "dropout of words",
    files: [],
    otherLines: 55,
    edits: [edit(`${TRAINING}/low-rank.ts`, "const WORD_DROPOUT = 0.15;", "const WORD_DROPOUT = 0;")],
  },
  {
    name: "coverage",
    files: [`${SCORING}/coverage.ts`],
    otherLines: 30,
    edits: [
      edit(
        `${SCORING}/model-classifier.ts`,
        "coverage: coverageNeeded === 0 ? 1 : coverageOf(read.facts)",
        "coverage: coverageNeeded >= 0 ? 1 : coverageOf(read.facts)",
      ),
    ],
  },
  {
    name: "meaning of words, as features",
    files: ["src/intent/features/text-meaning.ts"],
    otherLines: 120,
    edits: [
      edit(
        `${TRAINING}/prior-knowledge.ts`,
        'isWeighed: sizeOf(texts.length) === "few"',
        "isWeighed: texts.length < 0 && sizeOf(texts.length) === 'few'",
      ),
    ],
  },
  {
    name: "meaning of words, altogether",
    files: [
      "src/intent/features/text-meaning.ts",
      "src/intent/words/word-meanings.ts",
      "src/intent/words/english-meanings.ts",
      "src/intent/words/glossary.ts",
      `${SCORING}/word-similarity.ts`,
    ],
    otherLines: 160,
    edits: [
      edit(
        `${TRAINING}/prior-knowledge.ts`,
        'return { language, meanings: meaningsOf(language), isWeighed: sizeOf(texts.length) === "few" };',
        "return { language, isWeighed: false } as never as WordKnowledge;",
      ),
    ],
    signals: ["similarityToKnown", "similarityToBest", "leastSimilarity"],
  },
  {
    name: "stems in the glossaries",
    files: [],
    otherLines: 40,
    edits: [
      edit("src/intent/words/word-meanings.ts", "if (stem >= 0) return stem;", "if (stem >= 0) break;"),
    ],
  },
  {
    name: "repair of spelling",
    files: ["src/intent/words/spelling.ts", "src/intent/words/lexicon.ts"],
    otherLines: 60,
    edits: [
      edit(
        "src/intent/words/spelling.ts",
        "if (repairWord(lexicon, tokens, t, known)) repaired++;",
        "if (known === undefined && repairWord(lexicon, tokens, t, known)) repaired++;",
      ),
    ],
  },
  {
    name: "pairs of words",
    files: [],
    otherLines: 35,
    edits: [edit("src/intent/features/sparse-vector.ts", "[0.7, 0.7, 1.2]", "[0.7, 1e-6, 1.2]")],
  },
  {
    name: "powers of rarity by group",
    files: [],
    otherLines: 4,
    edits: [edit(`${TRAINING}/read-texts.ts`, "[0.5, 0.5, 0.7]", "[0.5, 0.5, 0.5]")],
  },
  {
    name: "stretches anywhere in a message",
    files: [],
    otherLines: 45,
    edits: [
      edit(`${SUSPICION}/clauses.ts`, "considerAnywhere(search, scan.length);", "void considerAnywhere;"),
    ],
  },
  {
    name: "what the rest of a message says",
    files: [],
    otherLines: 40,
    edits: [
      edit(
        `${SUSPICION}/clauses.ts`,
        "lead += kind.restWeight * (Math.min(CLEAR_SCORE, this.#restScore(from, to)) - this.#whole);",
        "void this.#restScore;",
      ),
    ],
  },
  {
    name: "denied clauses, altogether",
    files: [
      `${SUSPICION}/clauses.ts`,
      `${SUSPICION}/seams.ts`,
      `${SCORING}/scan.ts`,
      `${SCORING}/running-sums.ts`,
    ],
    otherLines: 60,
    edits: [
      edit(
        `${SUSPICION}/clauses.ts`,
        "if (scan.length < 2 || standings.denied.length === 0) return undefined;",
        "return undefined;",
      ),
    ],
  },
  {
    name: "the clearest clause",
    files: [`${SUSPICION}/best-clause.ts`],
    otherLines: 25,
    edits: [
      edit(
        `${SUSPICION}/best-clause.ts`,
        "if (best === undefined) return undefined;",
        "if (best !== null) return undefined;",
      ),
    ],
  },
];
