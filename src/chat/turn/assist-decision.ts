import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Decision, IntentAssistance } from "../../domain/decision.ts";
import { reconsider } from "../../governance/judge-message.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";
import type { GovernancePolicy } from "../../governance/policy.ts";
import { withConfidences } from "../../intent/classifier.ts";
import { Deadline } from "../../model/deadline.ts";
import { type ConsultParts, consultServers } from "./consult-servers.ts";
import { decideTurn } from "./decide-turn.ts";
import type { DecidedMessage } from "./decided-message.ts";
import type { ModelCosts } from "./model-costs.ts";
import { type MeaningParts, warnOfMeaning } from "./weigh-meaning.ts";

/** The parts that assistance uses. */
export interface AssistParts extends ConsultParts, MeaningParts {}

/** Longer, and the embedded classifier decides alone. */
const ASSISTANCE_MS = 5000;

/** Whether model servers may still say something about the intent. What was denied stays denied, and is sent nowhere. */
export function mayBeAssisted({ document, policy }: LoadedBot, decision: Decision): boolean {
  const { embeddings, judge } = document.classifier ?? {};
  const isOpen = decision.kind === "allowed" || decision.rule === "no-match";
  return (embeddings !== undefined || judge !== undefined) && isOpen && policy.intents.length > 0;
}

/**
 * Decides again with what the bot's embedding server and judge say about the intent, where they may say something. A server
 * that fails leaves the decision to the embedded classifier, and the receipt says so.
 */
export async function assistDecision(
  parts: AssistParts,
  decided: DecidedMessage,
  left: AbortSignal,
  costs: ModelCosts,
): Promise<DecidedMessage> {
  const { message, conversation, at, stopwatch } = decided;
  const { bot } = message;
  if (!mayBeAssisted(bot, decided.decision)) return decided;
  using deadline = new Deadline(ASSISTANCE_MS, left);
  const assistance = await consultServers(parts, message, decided.judged, {
    signal: deadline.signal,
    costs,
  });
  const judged = withAssistance(decided.judged, assistance, bot.policy);
  const { knowledge: _, candidates: __, ...undecided } = decided;
  const deciding = { bot, vectors: parts.vectors, onFailure: warnOfMeaning(parts, message.requestId) };
  const again = await decideTurn(deciding, judged, conversation.turns, at);
  stopwatch.lap("assist");
  return { ...undecided, judged, assistance, ...again };
}

/** A message in the light of what servers said of it, now or when its turn was answered. */
export function withAssistance(
  judged: JudgedMessage,
  assistance: IntentAssistance | undefined,
  policy: GovernancePolicy,
): JudgedMessage {
  const { weighed } = assistance ?? {};
  if (weighed?.confidences.length !== policy.intents.length) return judged;
  const confidences = Float32Array.from(weighed.confidences);
  return reconsider(judged, withConfidences(confidences, policy.intents, weighed.inScope), policy);
}
