import type { IntentName } from "../../domain/ids.ts";
import type { Calibration } from "../calibration/calibration.ts";
import { HashIndex } from "../words/hash-index.ts";
import type { IntentModel } from "./intent-model.ts";
import { packSections, SectionReader } from "./model-format.ts";

/** A model as bytes, for `unpackModel`. What `unpackModel` reads is in the same order. */
export function packModel(model: IntentModel): Uint8Array {
  const { vocabulary, lexicon, weights, bias, occurrence, calibration } = model;
  return packSections([
    new TextEncoder().encode(model.intents.join("\n")),
    vocabulary.index.keys,
    vocabulary.index.rows,
    vocabulary.idf,
    lexicon.codeUnits,
    lexicon.offsets,
    lexicon.documentFrequency,
    lexicon.keys,
    lexicon.numbers,
    weights.cells,
    weights.scales,
    bias,
    occurrence,
    model.examples,
    Float64Array.of(model.typicalScore),
    calibration.inScope,
    calibration.correct,
    Float64Array.of(calibration.matchThreshold, calibration.coverageNeeded),
  ]);
}

/**
 * The model in bytes that `packModel` made. Its arrays are views of them: they must not change afterwards.
 * @throws Error when the bytes are no intent model, or one of another version.
 */
export function unpackModel(bytes: Uint8Array): IntentModel {
  const sections = new SectionReader(bytes);
  const names = new TextDecoder().decode(sections.read(Uint8Array));
  return {
    intents: names === "" ? [] : (names.split("\n") as IntentName[]),
    vocabulary: {
      index: new HashIndex(sections.read(Int32Array), sections.read(Int32Array)),
      idf: sections.read(Float32Array),
    },
    lexicon: {
      codeUnits: sections.read(Uint16Array),
      offsets: sections.read(Int32Array),
      documentFrequency: sections.read(Float32Array),
      keys: sections.read(Int32Array),
      numbers: sections.read(Int32Array),
    },
    weights: { cells: sections.read(Int8Array), scales: sections.read(Float32Array) },
    bias: sections.read(Float32Array),
    occurrence: sections.read(Uint8Array),
    examples: sections.read(Int32Array),
    typicalScore: sections.read(Float64Array)[0]!,
    calibration: readCalibration(sections),
  };
}

function readCalibration(sections: SectionReader): Calibration {
  const inScope = sections.read(Float64Array);
  const correct = sections.read(Float64Array);
  const [matchThreshold, coverageNeeded] = sections.read(Float64Array);
  return { inScope, correct, matchThreshold: matchThreshold!, coverageNeeded: coverageNeeded! };
}
