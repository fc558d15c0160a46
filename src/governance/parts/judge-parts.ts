import type { Classification, Classifier } from "../../domain/decision.ts";
import type { ReadingMeaning } from "../../domain/reading-meaning.ts";
import { splitsInTwo, type TwoParts } from "./split-message.ts";

/** A part of a message, and what it says by itself. */
export interface JudgedPart {
  text: string;
  classification: Classification;
  /** What it means by itself, where it was encoded. */
  meaning?: ReadingMeaning;
  /** Whether it is about something; "is it free?" leans on the other part. */
  hasSubject: boolean;
}

/** The two parts of a message that say most of two different intents, as far as it has two. */
export interface JudgedParts {
  parts: readonly [JudgedPart, JudgedPart];
  isJoined: boolean;
}

/** How a part is judged. */
interface PartJudge extends Pick<Classifier, "classify"> {
  hasSubject: (text: string) => boolean;
}

/**
 * Takes a message apart where its two parts are clearest of different intents, or where one is clear, at the place that leaves it
 * clearest. Undefined where a message has no parts.
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

/** Two clear parts of different intents are worth more than one. */
function clarityOf({ parts: [first, second] }: JudgedParts): number {
  const [one, other] = [first.classification, second.classification];
  const differ = one.scores[0]?.intent !== other.scores[0]?.intent;
  const clearest = Math.max(one.confidence, other.confidence);
  return differ ? clearest + 2 * Math.min(one.confidence, other.confidence) : clearest;
}
