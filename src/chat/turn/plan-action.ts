import { actionsOf, type CompiledAction } from "../../action/compile-action.ts";
import { nextStep, rememberedAt, type Step } from "../../action/dialogue.ts";
import type { Judge } from "../../bots/judging-thread.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import { PROOF_MS } from "../../domain/action.ts";
import { type ConversationHistory, isTextKept, type PastTurn } from "../../domain/conversation.ts";
import type { Decision, Restriction } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import { decide } from "../../governance/decide.ts";
import { findDenyRule } from "../../governance/find-deny-rule.ts";
import { socialIntentOf } from "../../governance/social-policy.ts";
import type { ActionPlan, DecidedMessage } from "./decided-message.ts";

/** The parts that planning uses. */
export interface PlanParts {
  judge: Judge;
}

/** The data from which a plan is made. */
type Plannable = Pick<DecidedMessage, "at" | "decision"> & {
  message: { bot: LoadedBot; input: string };
  conversation: Pick<ConversationHistory, "turns" | "handoffAt">;
  judged: { asksForPerson?: boolean };
};

/** Earlier messages searched for values, chosen by hand. Only those before the action began: later ones were read already. */
const MAX_EARLIER = 6;

/**
 * Determines whether an action takes part in a turn, because it was requested or its question is open. The decision is then the action's.
 * All values together are checked for denials, because the visitor did not write them in one message.
 */
export async function planAction<Decided extends Plannable>(
  parts: PlanParts,
  decided: Decided,
): Promise<Decided & { action?: ActionPlan }> {
  const { message, conversation, at, decision, judged } = decided;
  const { bot } = message;
  const actions = actionsOf(bot.document);
  if (actions.byIntent.size === 0) return decided;
  const { turns } = conversation;
  const before = rememberedAt(conversation, at);
  const step = nextStep({
    actions,
    text: message.input,
    decision,
    wishes: wishesOf(bot, decision, judged.asksForPerson === true),
    memory: before,
    now: at,
    earlier: earlierTexts(bot, turns, at),
    isAllowed: (intent) => isAllowed(bot, intent),
  });
  const values = Object.values(step.memory.values).map(({ value }) => value);
  const denied = step.filled.length > 0 ? await denialIn(parts.judge, bot, values) : undefined;
  if (denied !== undefined) {
    const kept: Step = { kind: "none", memory: before ?? { values: {} }, filled: [] };
    return { ...decided, decision: denied, action: { step: kept, before, isDenied: true } };
  }
  return { ...decided, ...decisionFor(step, decision), action: { step, before } };
}

/** Whether an intent may be answered. Observe mode allows all; only calls of actions that enforcement would restrict are not made. */
export function isAllowed({ policy }: LoadedBot, intent: IntentName): boolean {
  return policy.mode === "observe" || policy.profile.standingOf(intent) === "allowed";
}

/** The decision for an action that the message requested or continues. */
function decisionFor(step: Step, decision: Decision): { decision: Decision } {
  if (step.kind === "none" || step.kind === "aside") return { decision };
  if (decision.kind === "allowed" && decision.intent === step.intent) return { decision };
  if (step.kind === "end" && step.why !== "cancelled") return { decision };
  const wouldRestrict = decision.kind === "allowed" ? decision.wouldRestrict : undefined;
  return {
    decision: {
      kind: "allowed",
      intent: step.intent,
      rule: "action",
      ...(wouldRestrict && { wouldRestrict }),
    },
  };
}

function wishesOf(
  { policy: { social } }: LoadedBot,
  decision: Decision,
  asksForPerson: boolean,
): "person" | "goodbye" | undefined {
  const isOf = (kind: "person" | "goodbye") =>
    decision.intent !== undefined &&
    (decision.intent === socialIntentOf(kind) || decision.intent === social?.ownIntents.get(kind));
  if (asksForPerson || isOf("person")) return "person";
  return isOf("goodbye") ? "goodbye" : undefined;
}

/** Texts that were denied, not stored, written to a person, or written before a goodbye or more than 15 minutes ago fill no slot. */
function earlierTexts(bot: LoadedBot, turns: readonly PastTurn[], now: EpochMs): string[] {
  const { policy, classifier } = bot;
  const goodbye = policy.social?.ownIntents.get("goodbye") ?? socialIntentOf("goodbye");
  const isOver = ({ action, intent, at }: PastTurn) =>
    action !== undefined || intent === goodbye || now - at > PROOF_MS;
  const since = turns.findLastIndex(isOver) + 1;
  const rules = policy.denyRules;
  return turns
    .slice(since)
    .slice(-MAX_EARLIER)
    .filter(
      (turn) =>
        isTextKept(turn) && !turn.isToPerson && !(turn.intent !== undefined && !turn.capabilityAllowed),
    )
    .map(({ input }) => input)
    .filter((text) => rules === undefined || findDenyRule(text, [], rules, classifier) === undefined)
    .toReversed();
}

/** The denial of texts from different messages: joined, and each alone. */
export async function denialIn(
  judge: Judge,
  bot: LoadedBot,
  texts: readonly string[],
): Promise<Restriction | undefined> {
  const { policy } = bot;
  const hasDenied = policy.denyRules !== undefined || policy.standings.denied.length > 0;
  if (!hasDenied) return undefined;
  const joined = texts.join(" ");
  // Figures alone request nothing, but they may be denied data.
  if (policy.denyRules === undefined && !/\p{L}/u.test(joined)) return undefined;
  for (const text of new Set([joined, ...texts.filter((one) => /\p{L}.*\s/u.test(one))])) {
    if (text === "") continue;
    const decision = decide({ judged: await judge(bot, text), policy });
    const restriction = decision.kind === "restricted" ? decision : decision.wouldRestrict;
    if (restriction?.reason === "DENY_LIST") return { ...restriction, suggestions: [] };
  }
  return undefined;
}

/** The action of a plan; undefined if it has none. */
export function plannedAction({ document }: LoadedBot, { step }: ActionPlan): CompiledAction | undefined {
  const { byIntent } = actionsOf(document);
  if (step.kind === "none") return undefined;
  return byIntent.get(step.kind === "aside" ? step.open.intent : step.intent);
}
