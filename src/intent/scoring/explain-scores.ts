import { isFunctionWord } from "../../text/function-words.ts";
import { normaliseText } from "../../text/normalise.ts";
import { isWord, TokenBuffer } from "../../text/tokenise.ts";
import { FeatureBuffer, PAIR_GROUP, WORD_GROUP } from "../features/features.ts";
import { SparseVector } from "../features/sparse-vector.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { repairWords } from "../words/spelling.ts";

/** A word of a text, or two neighbouring ones, and how much they raise one intent's score above another's. */
export interface WordPull {
  words: string;
  /** In typical scores: an example scores 1 for its own intent. Below 0, the words speak for the other intent. */
  pull: number;
}

/** Why a text scores for one intent as it does. */
export interface ScoreExplanation {
  /** Strongest first, whatever the direction. */
  pulls: readonly WordPull[];
  /** What raises the intent's score above the other's before any word is read. With all pulls it comes to the whole lead. */
  headStart: number;
  /** Misspelt words, and what they were taken for. */
  repaired: readonly { typed: string; takenAs: string }[];
  /** Words that can name a subject and that no example holds. */
  unknown: readonly string[];
}

/**
 * Takes a score of the linear model apart into the words that it comes from. The parts are exact: a score is a sum over features, and
 * each feature is made of one word, or of two neighbouring ones.
 * @param intent index of the intent; absent: what is known of the words alone.
 * @param rival index of the intent that it is compared with; absent: the score by itself.
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

/** What each word, and each two neighbours, add to the lead of one intent over another. */
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

/** The words with their accents and capitals, where the text can be taken apart into as many. */
function wordsAsWritten(text: string, normalised: readonly string[]): readonly string[] {
  const tokens = new TokenBuffer();
  tokens.read(text.normalize("NFKC"));
  return tokens.count === normalised.length ? tokens.words() : normalised;
}

/** What a feature adds to the intent's score more than to the rival's. */
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

/** Where the features of a word stand: itself, its grams, and what tells that it is the first or the last word. */
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
