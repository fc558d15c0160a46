import {
  CLOSE_FROM,
  type Decision,
  type DecisionReceipt,
  type DeniedBy,
  deniedByInWords,
  type IntentScore,
} from "../domain/decision.ts";
import type { CompiledProfile } from "../governance/profile/capability-profile.ts";
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

/** The advice for a decision. It never proposes an example for a denied intent: that would only have more messages refused. */
export function adviseOn(
  decided: DecidedOn,
  nearest: NearestExample | undefined,
  profile: CompiledProfile,
): Advice {
  const { decision } = decided;
  if (decision.kind === "allowed") return adviseOnAnswer(decided, profile);
  if (decision.reason === "NOT_IN_ALLOW_LIST") {
    return {
      addExampleTo: null,
      text: `To have it answered, add ${decision.intent} to \`allow\`. If it was taken for the wrong intent, add this message to the examples of the right one.`,
    };
  }
  if (decision.deniedBy) return adviseOnRule(decision.deniedBy);
  if (decision.reason === "DENY_LIST") return adviseOnDenial(decided, profile);
  return adviseOnUnmatched(decided, nearest, profile);
}

function adviseOnAnswer({ decision, receipt }: DecidedOn, profile: CompiledProfile): Advice {
  const [best, second] = scoresOf(receipt);
  if (decision.rule === "default-intent") {
    return best && best.confidence >= CLOSE_FROM
      ? proposal(best.intent, `Nothing matched, so ${decision.intent} answered.`, profile)
      : {
          addExampleTo: null,
          text: `Nothing matched, so ${decision.intent} answered. If another intent should answer it, add this message to the examples of that one.`,
        };
  }
  const intent = decision.intent!;
  // Where a bot only observes, a denied intent answers, too.
  if (profile.standingOf(intent) === "denied") return adviseOnDenial({ decision, receipt }, profile);
  if (best?.intent === intent && isNarrow(receipt)) {
    return {
      addExampleTo: intent,
      text: `It was nearly not understood. If ${intent} is right, add this message to its examples.`,
    };
  }
  if (best?.intent === intent && second && second.confidence >= CLOSE_RIVAL * best.confidence) {
    return {
      addExampleTo: intent,
      text: `${second.intent} was nearly taken instead. Add this message to the examples of whichever is right.`,
    };
  }
  return {
    addExampleTo: null,
    text: `If the answer is right, nothing. If not, add this message to the examples of the intent it belongs to.`,
  };
}

function isNarrow({ readings: [plain], thresholds }: DecidedOn["receipt"]): boolean {
  return plain !== undefined && plain.inScope < thresholds.match + NARROW_MARGIN;
}

function adviseOnRule(deniedBy: DeniedBy): Advice {
  const list = "term" in deniedBy ? "denyTerms" : "denyPatterns";
  return {
    addExampleTo: null,
    text: `If it should be refused, nothing. If not, take ${deniedByInWords(deniedBy)} out of \`${list}\`, or word it more narrowly. Examples do not help.`,
  };
}

function adviseOnDenial({ decision, receipt }: DecidedOn, profile: CompiledProfile): Advice {
  const other = scoresOf(receipt).find(
    ({ intent, confidence }) =>
      intent !== decision.intent && confidence >= CLOSE_FROM && profile.standingOf(intent) !== "denied",
  );
  return {
    addExampleTo: other?.intent ?? null,
    text: `If it asks for ${decision.intent}, nothing. If not, add this message to the examples of the intent it belongs to${other ? `, perhaps ${other.intent}` : ""}.`,
  };
}

function adviseOnUnmatched(
  { decision, receipt }: DecidedOn,
  nearest: NearestExample | undefined,
  profile: CompiledProfile,
): Advice {
  const asked = decision.kind === "restricted" ? decision.suggestions : [];
  const [best] = scoresOf(receipt);
  if (asked.length > 0) {
    const which = asked.length === 1 ? `${asked[0]!.intent} is` : "one of them is";
    return {
      addExampleTo: asked[0]!.intent,
      text: `It was asked back. If ${which} right, add this message to its examples: then it is answered at once.`,
    };
  }
  const close =
    best && best.confidence >= CLOSE_FROM
      ? best.intent
      : nearest && nearest.likeness >= ALIKE_FROM
        ? nearest.intent
        : undefined;
  if (close !== undefined) return proposal(close, "It was not understood.", profile);
  return {
    addExampleTo: null,
    text: "No intent comes close. If the bot should answer it, add this message to the examples of the intent it belongs to, or make an intent for it. If not, do nothing.",
  };
}

function proposal(intent: string, what: string, profile: CompiledProfile): Advice {
  if (profile.standingOf(intent) === "denied") {
    return {
      addExampleTo: null,
      text: `${what} It is closest to ${intent}, which is denied. If it asks for ${intent}, do nothing. If the bot should answer it, add this message to the examples of the intent it belongs to.`,
    };
  }
  return {
    addExampleTo: intent,
    text: `${what} If it is about ${intent}, add this message to the examples of ${intent}. If the bot should not answer it, do nothing.`,
  };
}

function scoresOf({ readings }: DecidedOn["receipt"]): readonly IntentScore[] {
  return readings[0]?.scores ?? [];
}
