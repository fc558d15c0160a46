import type { BotDocument } from "../domain/bot.ts";
import type { Classifier, DecisionReceipt, DecisionRule } from "../domain/decision.ts";
import { withoutCommonAddressParts } from "../governance/disguise/addresses.ts";
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
  /** null where nothing in the examples is like it at all. */
  nearest: NearestExample | null;
  /** The intent whose score is explained; null where no intent has a chance. */
  intent: string | null;
  /** The chance, 0–1, that it is the right one. */
  confidence: number;
  /** The likeliest other intent, which it is compared with; null where there is none. */
  rival: string | null;
  /** The words that most likely ask for something denied; absent where none do, and in a very long message. */
  deniedPart?: string;
  /** What an operator can do about it. */
  advice: Advice;
}

/** Rules that decide by an intent which the message as a whole need not be closest to. */
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
    advice: adviseOn(decided, explanation.nearest),
  };
}

function labelledExamples({ intents = [] }: BotDocument): LabelledExample[] {
  return intents.flatMap(({ name, examples = [] }) => examples.map((text) => ({ intent: name, text })));
}

/** A longer message is judged in pieces, and a receipt does not say in which of them the words are. */
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
