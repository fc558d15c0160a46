import { type Classifier, isMatch } from "../../src/domain/decision.ts";
import type { LabelledUtterance, Prediction } from "../../src/operate/evaluate.ts";

/** The classifier's intent for each utterance, by its own match threshold. */
export function predictIntents(
  classifier: Pick<Classifier, "classify" | "matchThreshold">,
  utterances: readonly LabelledUtterance[],
): Prediction[] {
  return utterances.map(({ text, intent }) => {
    const classification = classifier.classify(text);
    const { scores, inScope, confidence } = classification;
    return {
      text,
      expected: intent,
      got: scores[0]?.intent ?? null,
      inScope,
      confidence,
      isAccepted: isMatch(classification, classifier.matchThreshold),
    };
  });
}
