import {
  CLOSE_FROM,
  type Decision,
  type DecisionReceipt,
  type DeniedBy,
  deniedByInWords,
  type IntentScore,
} from "../domain/decision.ts";
import type { NearestExample } from "../intent/classifier.ts";

/** How an operator can improve the decision for a message and similar ones. */
export interface Advice {
  /** The intent to which the message could be added as an example, if it is the right one; null: the operator has to choose. */
  addExampleTo: string | null;
  /** In whole sentences. */
  text: string;
}

/** A decision with its evidence. */
export interface DecidedOn {
  decision: Decision;
  receipt: Pick<DecisionReceipt, "readings" | "thresholds">;
}

/**
 * Minimum similarity at which the nearest example's intent is suggested if no score favours one; about half of the words are shared.
 * Chosen by hand.
 */
const ALIKE_FROM = 0.4;
/** Margin above the threshold within which changing one word could have changed the answer. Chosen by hand. */
const NARROW_MARGIN = 0.1;
/** Minimum share of the best intent's probability at which another intent may have been meant. Chosen by hand. */
const CLOSE_RIVAL = 0.5;

/** The advice for a decision. */
export function adviseOn(decided: DecidedOn, nearest: NearestExample | undefined): Advice {
  const { decision } = decided;
  if (decision.kind === "allowed") return adviseOnAnswer(decided);
  if (decision.reason === "NOT_IN_ALLOW_LIST") {
    return {
      addExampleTo: null,
      text: `To have it answered, add ${decision.intent} to \`allow\`. If it was taken for the wrong intent, add a line like this to the right one.`,
    };
  }
  if (decision.deniedBy) return adviseOnRule(decision.deniedBy);
  if (decision.reason === "DENY_LIST") return adviseOnDenial(decided);
  return adviseOnUnmatched(decided, nearest);
}

function adviseOnAnswer({ decision, receipt }: DecidedOn): Advice {
  const [best, second] = scoresOf(receipt);
  if (decision.rule === "default-intent") {
    return best && best.confidence >= CLOSE_FROM
      ? proposal(best.intent, `Nothing matched; ${decision.intent} answers what is left over.`)
      : {
          addExampleTo: null,
          text: `Nothing matched; ${decision.intent} answers what is left over. If an intent of its own should answer it, add a line like this there.`,
        };
  }
  const intent = decision.intent!;
  if (best?.intent === intent && isNarrow(receipt)) {
    return {
      addExampleTo: intent,
      text: `It was nearly not understood. If ${intent} is right, add a line like this to ${intent}.`,
    };
  }
  if (best?.intent === intent && second && second.confidence >= CLOSE_RIVAL * best.confidence) {
    return {
      addExampleTo: intent,
      text: `${second.intent} was nearly taken instead. Add a line like this to whichever of the two is right.`,
    };
  }
  return {
    addExampleTo: null,
    text: `Nothing, if ${intent} is right; if not, add a line like this to the intent that is.`,
  };
}

function isNarrow({ readings: [plain], thresholds }: DecidedOn["receipt"]): boolean {
  return plain !== undefined && plain.inScope < thresholds.match + NARROW_MARGIN;
}

function adviseOnRule(deniedBy: DeniedBy): Advice {
  const list = "term" in deniedBy ? "denyTerms" : "denyPatterns";
  return {
    addExampleTo: null,
    text: `Nothing, if it is to be denied. If not, take ${deniedByInWords(deniedBy)} out of \`${list}\`, or word it more narrowly; examples do not help.`,
  };
}

function adviseOnDenial({ decision, receipt }: DecidedOn): Advice {
  const other = scoresOf(receipt).find(
    ({ intent, confidence }) => intent !== decision.intent && confidence >= CLOSE_FROM,
  );
  return {
    addExampleTo: other?.intent ?? null,
    text: `Nothing, if ${decision.intent} is what it asks for. If it is not, add a line like this to the intent that it is about${other ? `, perhaps ${other.intent}` : ""}.`,
  };
}

function adviseOnUnmatched({ decision, receipt }: DecidedOn, nearest: NearestExample | undefined): Advice {
  const asked = decision.kind === "restricted" ? decision.suggestions : [];
  const [best] = scoresOf(receipt);
  if (asked.length > 0) {
    const which = asked.length === 1 ? `${asked[0]!.intent} is` : "one of them is";
    return {
      addExampleTo: asked[0]!.intent,
      text: `It was asked back. If ${which} right, add a line like this to it: then it is answered at once.`,
    };
  }
  if (best && best.confidence >= CLOSE_FROM) return proposal(best.intent, "It was not understood.");
  if (nearest && nearest.likeness >= ALIKE_FROM) return proposal(nearest.intent, "It was not understood.");
  return {
    addExampleTo: null,
    text: "No intent comes close. If the bot should answer it, add a line like this to the intent that it is about, or make one; if not, leave it.",
  };
}

function proposal(intent: string, what: string): Advice {
  return {
    addExampleTo: intent,
    text: `${what} If it is about ${intent}, add a line like this to ${intent}; if the bot should not answer it, leave it.`,
  };
}

function scoresOf({ readings }: DecidedOn["receipt"]): readonly IntentScore[] {
  return readings[0]?.scores ?? [];
}
