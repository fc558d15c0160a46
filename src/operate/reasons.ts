import type { BotDocument } from "../domain/bot.ts";
import type { Classifier, DecisionReceipt, DecisionRule } from "../domain/decision.ts";
import { withoutCommonAddressParts } from "../governance/disguise/plain-word.ts";
import { compileCapabilityProfile } from "../governance/profile/capability-profile.ts";
import {
  explainText,
  type LabelledExample,
  type NearestExample,
  openIntentModel,
  type TextExplanation,
} from "../intent/classifier.ts";
import { type Advice, adviseOn, type DecidedOn } from "./advice.ts";

/** Why a message was decided as it was, in terms of the bot's examples. */
export interface Reasons extends Omit<TextExplanation, "nearest"> {
  /** null if no example is similar. */
  nearest: NearestExample | null;
  /** The intent whose score is explained; null if no intent has a probability above zero. */
  intent: string | null;
  /** Probability (0–1) that it is right. */
  confidence: number;
  /** The second best intent, for comparison; null if there is none. */
  rival: string | null;
  /** The words that probably ask for something denied; absent if there are none, or the message is very long. */
  deniedPart?: string;
  /** How an operator can improve the decision. */
  advice: Advice;
}

/** Rules whose intent need not be the best one for the whole message. */
const BY_PART: ReadonlySet<DecisionRule> = new Set([
  "denied-in-message",
  "denied-in-clause",
  "denied-in-disguise",
  "clearest-clause",
]);

/** @param model bytes of the model that judged the message. */
export function findReasons(
  document: BotDocument,
  model: Uint8Array,
  text: string,
  decided: DecidedOn,
): Reasons {
  const { decision, receipt } = decided;
  const scores = receipt.readings[0]?.scores ?? [];
  const byPart = BY_PART.has(decision.rule) ? decision.intent : undefined;
  const intent = byPart ?? scores[0]?.intent;
  const rival = scores.find((score) => score.intent !== intent)?.intent;
  const explanation = explainText(model, text, {
    ...(intent !== undefined && { intent }),
    ...(rival !== undefined && { rival }),
    examples: labelledExamples(document),
  });
  const deniedPart = deniedPartOf(text, receipt, openIntentModel(model));
  return {
    ...explanation,
    nearest: explanation.nearest ?? null,
    intent: intent ?? null,
    confidence: scores.find((score) => score.intent === intent)?.confidence ?? 0,
    rival: rival ?? null,
    ...(deniedPart !== undefined && { deniedPart }),
    advice: adviseOn(decided, explanation.nearest, compileCapabilityProfile(document.capabilityProfile)),
  };
}

function labelledExamples({ intents = [] }: BotDocument): LabelledExample[] {
  return intents.flatMap(({ name, examples = [] }) => examples.map((text) => ({ intent: name, text })));
}

/** Characters. A longer message is judged in parts, and the receipt does not say in which part the words are. */
const ONE_PIECE = 1800;

function deniedPartOf(
  text: string,
  { readings: [plain] }: Pick<DecisionReceipt, "readings">,
  classifier: Classifier,
): string | undefined {
  if (plain?.clause === undefined || text.length > ONE_PIECE) return undefined;
  const { from, to } = plain.clause;
  const scan = classifier.scan(withoutCommonAddressParts(text, (word) => classifier.knows(word)));
  return Array.from({ length: to - from }, (_, i) => scan.unit(from + i)).join(" ");
}
