import type { Classification, Classifier, ReadingMeaning } from "../../domain/decision.ts";
import { splitsInTwo, type TwoParts } from "./split-message.ts";

/** A part of a message with its classification. */
export interface JudgedPart {
  text: string;
  classification: Classification;
  /** Present if it was encoded. */
  meaning?: ReadingMeaning;
  /** Whether it has a subject; "is it free?" depends on the other part. */
  hasSubject: boolean;
}

/** The two parts of a message that match two different intents best. */
export interface JudgedParts {
  parts: readonly [JudgedPart, JudgedPart];
  isJoined: boolean;
}

/** The parts of the classifier that are used. */
interface PartJudge extends Pick<Classifier, "classify"> {
  hasSubject: (text: string) => boolean;
}

/**
 * Splits a message where its parts match two different intents most clearly, or where one part matches most clearly. Undefined if it cannot
 * be split.
 */
export function judgeParts(message: string, judge: PartJudge): JudgedParts | undefined {
  const splits = splitsInTwo(message);
  if (splits.length === 0) return undefined;
  const judged = splits.map((split) => judgeSplit(split, judge));
  return judged.toSorted((left, right) => clarityOf(right) - clarityOf(left))[0];
}

function judgeSplit({ first, second, isJoined }: TwoParts, judge: PartJudge): JudgedParts {
  const part = (text: string): JudgedPart => ({
    text,
    classification: judge.classify(text),
    hasSubject: judge.hasSubject(text),
  });
  return { parts: [part(first), part(second)], isJoined };
}

/** Two clear parts with different intents score higher than one. */
function clarityOf({ parts: [first, second] }: JudgedParts): number {
  const [one, other] = [first.classification, second.classification];
  const differ = one.scores[0]?.intent !== other.scores[0]?.intent;
  const clearest = Math.max(one.confidence, other.confidence);
  return differ ? clearest + 2 * Math.min(one.confidence, other.confidence) : clearest;
}
