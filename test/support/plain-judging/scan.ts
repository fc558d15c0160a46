import type { TextScan } from "../../../src/domain/decision.ts";
import {
  FeatureBuffer,
  GRAM_GROUP,
  GROUP_COUNT,
  PAIR_GROUP,
  WORD_GROUP,
} from "../../../src/intent/features/features.ts";
import { GROUP_WEIGHTS } from "../../../src/intent/features/sparse-vector.ts";
import type { IntentModel } from "../../../src/intent/model/intent-model.ts";
import { JOINTS } from "../../../src/text/function-words.ts";
import type { TokenBuffer } from "../../../src/text/tokenise.ts";
import { RunningSums } from "./running-sums.ts";

/** A word or sign with its position in the normalised text. */
interface Place {
  text: string;
  isSign: boolean;
  startsLine: boolean;
}

/** Bound on the rounding error of the difference of two equal sums. */
const ROUNDING_ERROR = 1e-6;
const WORD = /[\p{L}\p{M}\p{N}]/u;

/** A hyphen, dot, apostrophe or underscore inside a word or number ("e-mail", "1.5") belongs to it, and is no sign. */
function isSign(text: string, start: number, end: number): boolean {
  if (WORD.test(text.slice(start, end))) return false;
  const isInner = WORD.test(text[start - 1] ?? "") && WORD.test(text[end] ?? "");
  return !isInner || !/[-‐‑.'_]/.test(text[start]!);
}

/** The positions of tokens in the text; to be computed before any token is repaired. */
export function placesOf(normalised: string, tokens: TokenBuffer): Place[] {
  const places: Place[] = [];
  let before = 0;
  for (let t = 0; t < tokens.count; t++) {
    const text = normalised.slice(tokens.starts[t], tokens.ends[t]);
    const startsLine = normalised.slice(before, tokens.starts[t]).includes("\n");
    places.push({ text, isSign: isSign(normalised, tokens.starts[t]!, tokens.ends[t]!), startsLine });
    before = tokens.ends[t]!;
  }
  return places;
}

/**
 * The scan of a text.
 * @param places from `placesOf`.
 * @param features of the same tokens, repaired.
 */
export function scanTokens(
  places: readonly Place[],
  tokens: TokenBuffer,
  features: FeatureBuffer,
  model: IntentModel,
): TextScan {
  const sums = sumTokens(tokens, features, model);
  return {
    length: places.length,
    unit: (index) => places[index]!.text,
    isSign: (index) => places[index]!.isSign,
    isJoint: (index) => JOINTS.has(places[index]!.text),
    startsLine: (index) => places[index]!.startsLine,
    score: (from, to, scores) => scoreStretch(sums, model, from, to, scores),
  };
}

function sumTokens(tokens: TokenBuffer, features: FeatureBuffer, model: IntentModel): RunningSums {
  const sums = new RunningSums(tokens.count, model);
  const firstPair = features.groupEnds[WORD_GROUP]!;
  let gram = features.groupEnds[PAIR_GROUP]!;
  for (let t = 0; t < tokens.count; t++) {
    sums.advance(t);
    sums.add(WORD_GROUP, t, features.hashes[t]!, model);
    if (t > 0) sums.add(PAIR_GROUP, t, features.hashes[firstPair + t]!, model);
    const end = gram + FeatureBuffer.gramCount(tokens.ends[t]! - tokens.starts[t]!);
    for (; gram < end; gram++) sums.add(GRAM_GROUP, t, features.hashes[gram]!, model);
  }
  return sums;
}

/** Sets `scores` to those of a stretch, as if it were the whole text, in typical scores. */
function scoreStretch(
  sums: RunningSums,
  model: IntentModel,
  from: number,
  to: number,
  scores: Float32Array,
): void {
  const factors = new Float64Array(GROUP_COUNT);
  let squares = 0;
  for (let group = 0; group < GROUP_COUNT; group++) {
    const square = sums.squareOf(group, from, to);
    if (square < ROUNDING_ERROR) continue;
    const factor = GROUP_WEIGHTS[group]! / Math.sqrt(square);
    factors[group] = factor;
    squares += factor ** 2 * square;
  }
  const perTypicalScore = 1 / model.typicalScore;
  const scale = squares === 0 ? 0 : perTypicalScore / Math.sqrt(squares);
  for (let k = 0; k < model.bias.length; k++) scores[k] = perTypicalScore * model.bias[k]!;
  for (let group = 0; group < GROUP_COUNT; group++) {
    const factor = factors[group]! * scale;
    if (factor !== 0) sums.addStretch(group, from, to, factor, scores);
  }
}
