import type { Classification, Classifier, PartScores } from "../domain/decision.ts";

/** A part of a message, or all of it, with what the classifier says about it. */
export interface JudgedPart extends Omit<PartScores, "scores"> {
  classification: Classification;
}

/** A message, judged whole and in parts, as written and with disguises taken off. */
export interface JudgedMessage {
  /** The whole message as written. */
  message: JudgedPart;
  /** Other parts and readings that differ from it. */
  others: readonly JudgedPart[];
}

/** Everything that the decision needs to know about a text. Pure, as the classifier is. */
export function judgeMessage(text: string, classifier: Classifier): JudgedMessage {
  const words = text.split(/\s+/u).filter((word) => word !== "").length;
  return {
    message: {
      part: "message",
      reading: "plain",
      words: [0, words],
      classification: classifier.classify(text),
    },
    others: [],
  };
}
