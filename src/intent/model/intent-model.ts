/**
 * The embedded intent engine: a classifier is trained on a bot's examples (`train.ts`), stored, and opened here.
 *
 *     const { model } = trainIntentModel(bot.intents);      // seconds at most; run it in a Worker
 *     const classifier = openIntentModel(model);            // wraps arrays, costs microseconds; the first of a known language: milliseconds
 *     const { scores, confidences, inScope, confidence } = classifier.classify("where is my order");
 *
 * `scores[0]` is the best intent, with confidence `confidence`; `confidences[k]` is that of `classifier.intents[k]`.
 * Training is a pure function of its arguments: the same examples and seed give the same bytes.
 */
import type { IntentName } from "../../domain/ids.ts";
import { LANGUAGES } from "../../text/languages.ts";
import type { Calibration } from "../calibration/reject.ts";
import { HashIndex } from "../features/hash-index.ts";
import { ModelClassifier } from "../scoring/classify.ts";
import type { Contrast } from "../scoring/contrast.ts";
import type { ExampleIndex } from "../scoring/example-index.ts";
import type { Vocabulary } from "../training/training-set.ts";
import { meaningsOf } from "../words/glossary.ts";
import type { OccurrenceBits } from "../words/occurrence.ts";
import type { Lexicon } from "../words/spelling.ts";
import { NO_KNOWLEDGE, type WordKnowledge } from "../words/word-knowledge.ts";
import { packSections, SectionReader } from "./model-format.ts";
import type { QuantisedMatrix } from "./quantise.ts";

const NO_LANGUAGE = 255;

/** A trained model: arrays only, so that storing and opening it copies nothing. */
export interface IntentModel {
  intents: readonly IntentName[];
  vocabulary: Vocabulary;
  /** Where meanings are weighed, their weights follow those of the vocabulary's features. */
  knowledge: WordKnowledge;
  lexicon: Lexicon;
  weights: QuantisedMatrix;
  bias: Float32Array;
  occurrence: OccurrenceBits;
  examples: ExampleIndex;
  /** Mean score of the right intent for an example. */
  typicalScore: number;
  /** Absent where it is not known what people say to bots in general: in languages that are not known beforehand. */
  contrast: Contrast | undefined;
  calibration: Calibration;
}

/**
 * A classifier on the bytes that training returned; they must not change afterwards.
 * @throws Error when the bytes are no intent model, or one of another version.
 */
export function openIntentModel(bytes: Uint8Array): ModelClassifier {
  return new ModelClassifier(unpackModel(bytes));
}

/** The bytes that `openIntentModel` opens. */
export function packModel(model: IntentModel): Uint8Array {
  const { vocabulary, lexicon, weights, bias, occurrence, contrast, calibration } = model;
  return packSections([
    new TextEncoder().encode(model.intents.join("\n")),
    vocabulary.index.keys,
    vocabulary.index.rows,
    vocabulary.idf,
    lexicon.units,
    lexicon.offsets,
    lexicon.documentFrequency,
    lexicon.keys,
    lexicon.words,
    weights.cells,
    weights.scales,
    bias,
    occurrence,
    model.examples,
    Float64Array.of(model.typicalScore),
    contrast?.weights ?? new Float32Array(0),
    Float64Array.of(contrast?.bias ?? 0),
    calibration.inScope,
    calibration.correct,
    Float64Array.of(calibration.matchThreshold, calibration.coverageNeeded),
    packKnowledge(model.knowledge),
  ]);
}

function unpackModel(bytes: Uint8Array): IntentModel {
  const sections = new SectionReader(bytes);
  const names = new TextDecoder().decode(sections.read(Uint8Array));
  const arrays = {
    intents: names === "" ? [] : (names.split("\n") as IntentName[]),
    vocabulary: {
      index: new HashIndex(sections.read(Int32Array), sections.read(Int32Array)),
      idf: sections.read(Float32Array),
    },
    lexicon: {
      units: sections.read(Uint16Array),
      offsets: sections.read(Int32Array),
      documentFrequency: sections.read(Float32Array),
      keys: sections.read(Int32Array),
      words: sections.read(Int32Array),
    },
    weights: { cells: sections.read(Int8Array), scales: sections.read(Float32Array) },
    bias: sections.read(Float32Array),
    occurrence: sections.read(Uint8Array),
    examples: sections.read(Int32Array),
    typicalScore: sections.read(Float64Array)[0]!,
    contrast: readContrast(sections),
    calibration: readCalibration(sections),
  };
  return { ...arrays, knowledge: readKnowledge(sections) };
}

function packKnowledge({ language, isWeighed }: WordKnowledge): Uint8Array {
  return Uint8Array.of(language === undefined ? NO_LANGUAGE : LANGUAGES.indexOf(language), Number(isWeighed));
}

function readKnowledge(sections: SectionReader): WordKnowledge {
  const [place, isWeighed] = sections.read(Uint8Array);
  const language = LANGUAGES[place!];
  if (language === undefined) return NO_KNOWLEDGE;
  return { language, meanings: meaningsOf(language), isWeighed: isWeighed === 1 };
}

function readContrast(sections: SectionReader): Contrast | undefined {
  const weights = sections.read(Float32Array);
  const bias = sections.read(Float64Array)[0]!;
  return weights.length === 0 ? undefined : { weights, bias };
}

function readCalibration(sections: SectionReader): Calibration {
  const inScope = sections.read(Float64Array);
  const correct = sections.read(Float64Array);
  const [matchThreshold, coverageNeeded] = sections.read(Float64Array);
  return { inScope, correct, matchThreshold: matchThreshold!, coverageNeeded: coverageNeeded! };
}
