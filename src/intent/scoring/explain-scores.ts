import { isFunctionWord } from "../../text/function-words.ts";
import { normaliseText } from "../../text/normalise.ts";
import { isWord, TokenBuffer } from "../../text/tokenise.ts";
import { FeatureBuffer, PAIR_GROUP, WORD_GROUP } from "../features/features.ts";
import { SparseVector } from "../features/sparse-vector.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { repairWords } from "../words/spelling.ts";

/** A word or two adjacent words of a text, with their contribution to the difference of two intents' scores. */
export interface WordPull {
  words: string;
  /** Relative to the typical score. Negative: the words favour the other intent. */
  pull: number;
}

/** The composition of a text's score for one intent. */
export interface ScoreExplanation {
  /** By falling absolute value. */
  pulls: readonly WordPull[];
  /** The difference of the two intents' biases. Together with all pulls it is the whole difference of the scores. */
  headStart: number;
  /** Misspelled words with their corrections. */
  repaired: readonly { typed: string; takenAs: string }[];
  /** Content words that no example contains. */
  unknown: readonly string[];
}

/**
 * Splits a score of the linear model into the contributions of words. The split is exact, because a score is a sum over features and each
 * feature belongs to one word or two adjacent ones. @param intent index of the intent; absent: only the facts about words. @param rival
 * index of the intent to compare with; absent: the score itself.
 */
export function explainScores(
  model: IntentModel,
  text: string,
  intent?: number,
  rival?: number,
): ScoreExplanation {
  const { vocabulary, lexicon } = model;
  const tokens = new TokenBuffer();
  tokens.read(normaliseText(text));
  const typed = tokens.words();
  const shown = wordsAsWritten(text, typed);
  repairWords(lexicon, tokens, vocabulary.index);
  const takenAs = tokens.words();
  const features = new FeatureBuffer();
  features.read(tokens);
  return {
    ...(intent === undefined ? NOTHING_PULLS : sumPulls(features, shown, model, { intent, rival })),
    repaired: shown.flatMap((word, t) =>
      typed[t] === takenAs[t] ? [] : [{ typed: word, takenAs: takenAs[t]! }],
    ),
    unknown: shown.filter((_, t) => isUnknown(tokens, t, features.hashes[t]!, model)),
  };
}

const NOTHING_PULLS = { pulls: [], headStart: 0 };

/** The contribution of each word and each adjacent pair to the difference of two intents' scores. */
function sumPulls(
  features: FeatureBuffer,
  words: readonly string[],
  model: IntentModel,
  { intent, rival }: { intent: number; rival: number | undefined },
): Pick<ScoreExplanation, "pulls" | "headStart"> {
  const { vocabulary, bias, typicalScore } = model;
  const valueOf = valuesOf(features, model);
  const pullOf = (row: number) =>
    row < 0 ? 0 : (valueOf(row) * leadOfRow(model, row, intent, rival)) / typicalScore;
  const pulls = new Map<string, number>();
  const add = (text: string, pull: number) => pulls.set(text, (pulls.get(text) ?? 0) + pull);
  const firstPair = features.groupEnds[WORD_GROUP]!;
  words.forEach((word, t) => {
    const own = placesOfWord(features, t).map((place) => vocabulary.index.find(features.hashes[place]!));
    add(
      word,
      own.reduce((sum, row) => sum + pullOf(row), 0),
    );
    if (t > 0) add(`${words[t - 1]} ${word}`, pullOf(vocabulary.index.find(features.hashes[firstPair + t]!)));
  });
  return {
    pulls: [...pulls]
      .map(([text, pull]) => ({ words: text, pull }))
      .filter(({ pull }) => pull !== 0)
      .toSorted((a, b) => Math.abs(b.pull) - Math.abs(a.pull)),
    headStart: (bias[intent]! - (rival === undefined ? 0 : bias[rival]!)) / typicalScore,
  };
}

/** The words with accents and capitals, if the text splits into the same number of words. */
function wordsAsWritten(text: string, normalised: readonly string[]): readonly string[] {
  const tokens = new TokenBuffer();
  tokens.read(text.normalize("NFKC"));
  return tokens.count === normalised.length ? tokens.words() : normalised;
}

/** The weight of a feature for the intent minus that for the second one. */
function leadOfRow(
  { weights: { cells, scales }, intents }: IntentModel,
  row: number,
  intent: number,
  rival: number | undefined,
): number {
  const from = row * intents.length;
  return scales[row]! * (cells[from + intent]! - (rival === undefined ? 0 : cells[from + rival]!));
}

/** Values of the text's vector, by row; a feature that occurs several times has the same share for each. */
function valuesOf(features: FeatureBuffer, { vocabulary }: IntentModel): (row: number) => number {
  const vector = new SparseVector();
  vector.count(features, vocabulary.index);
  const counts = vector.values.slice(0, vector.length);
  vector.weigh(vocabulary.idf);
  const values = new Map<number, number>();
  for (let i = 0; i < vector.length; i++) values.set(vector.rows[i]!, vector.values[i]! / (counts[i] ?? 1));
  return (row) => values.get(row) ?? 0;
}

/** Indices of a word's features: the word, its grams, and the pairs with the start and end marks. */
function placesOfWord({ groupEnds, tokens }: FeatureBuffer, token: number): number[] {
  const places = [token];
  if (token === 0) places.push(groupEnds[WORD_GROUP]!);
  if (token === tokens.count - 1) places.push(groupEnds[PAIR_GROUP]! - 1);
  let gram = groupEnds[PAIR_GROUP]!;
  for (let t = 0; t < token; t++) gram += gramsOf(tokens, t);
  for (let i = 0; i < gramsOf(tokens, token); i++) places.push(gram + i);
  return places;
}

function gramsOf({ starts, ends }: TokenBuffer, token: number): number {
  return FeatureBuffer.gramCount(ends[token]! - starts[token]!);
}

function isUnknown(tokens: TokenBuffer, token: number, hash: number, { vocabulary }: IntentModel): boolean {
  return (
    vocabulary.index.find(hash) < 0 &&
    !isFunctionWord(hash) &&
    isWord(tokens.codeUnits, tokens.starts[token]!, tokens.ends[token]!)
  );
}
