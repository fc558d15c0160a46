import type { BotDocument } from "../../domain/bot.ts";
import { isTextKept } from "../../domain/conversation.ts";
import {
  type Decision,
  type DecisionReceipt,
  type ModelReceipt,
  WORDING_FAULTS,
} from "../../domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import type { ReceiptView, Span } from "../../domain/operator/conversations.ts";
import type { Subject } from "../../domain/subject.ts";
import { isPassedOn } from "../../domain/transcript.ts";
import {
  compileCapabilityProfile,
  type CompiledProfile,
} from "../../governance/profile/capability-profile.ts";
import { inShort, nameOf, PASSED_ON, RULES_IN_WORDS, whyNotSaid } from "../decided-by.ts";
import { type ExplainBy, type ExplainStore, explainTurn } from "../explain.ts";
import type { Reasons } from "../reasons.ts";
import { whatSpoke } from "../what-spoke.ts";
import { spanOfDenied, spanOfWords } from "./deciding-span.ts";
import { stepsOf } from "./decision-steps.ts";
import { describeAction } from "./describe-action.ts";
import { type DecidedTurnFacts, decisionOf, outcomeOfTurn } from "./outcome.ts";

/** A turn to show, with related facts. */
export interface TurnToView extends DecidedTurnFacts {
  /** Empty if it is not stored. */
  input: string;
  /** The bot version that decided it; undefined if deleted. */
  document: BotDocument | undefined;
  /** Undefined if the text is not stored. */
  reasons?: Reasons;
  /** Titles of passages, by id. */
  passages?: Readonly<Record<number, string>>;
  /** Its subject. */
  subject?: Subject;
  /** For a stored turn: whether the replay has the same result. */
  agrees?: boolean;
  /** Version of the turn's encoder, if it is not available. */
  encoderGone?: string;
}

/** Contribution below which a word is not shown. Chosen by hand. */
const MIN_PULL = 0.02;
const MAX_WORDS = 12;
const MAX_INTENTS = 5;

/** A receipt in the form in which it is displayed. */
export function receiptViewOf(turn: TurnToView): ReceiptView {
  const { receipt, document, reasons, agrees, encoderGone } = turn;
  if (isPassedOn(turn)) return passedOnView(turn);
  const decision = decisionOf(turn);
  const decidedBy = spanOf(turn, decision);
  const profile = compileCapabilityProfile(document?.capabilityProfile);
  return {
    verdict: verdictOf(turn, decision),
    outcome: outcomeOfTurn(turn),
    rule: receipt.rule,
    reason: turn.metadata.enforcementReason ?? null,
    intent: turn.intent ?? null,
    ...(decidedBy && { decidedBy }),
    scores: scoresOf(receipt),
    intents: (receipt.readings[0]?.scores ?? []).slice(0, MAX_INTENTS).map(({ intent, confidence }) => ({
      intent,
      confidence,
      isAllowed: profile.standingOf(intent) === "allowed",
    })),
    words: (reasons?.pulls ?? [])
      .filter(({ pull }) => Math.abs(pull) >= MIN_PULL)
      .slice(0, MAX_WORDS)
      .map(({ words, pull }) => ({ word: words, pull })),
    nearest: reasons?.nearest ?? null,
    steps: stepsOf(receipt),
    ...whatWasFound(turn, profile),
    ...(turn.subject && turn.subject.intent !== turn.intent && { about: turn.subject.name }),
    ...(reasons && { advice: reasons.advice.text }),
    ...(agrees !== undefined && { agrees }),
    ...(encoderGone !== undefined && { encoderGone }),
    ...(receipt.action && { action: describeAction(receipt) }),
    ...(receipt.model && { model: modelOf(receipt.model) }),
  };
}

/** The candidates with their evidence; if nothing competed, the passages found. */
function whatWasFound(
  { receipt, intent, subject, passages = {} }: TurnToView,
  profile: CompiledProfile,
): Pick<ReceiptView, "passages" | "candidates" | "notSaid"> {
  const { knowledge, candidates, alsoIntents = [] } = receipt;
  if (candidates === undefined) {
    const found = knowledge?.passages ?? [];
    return {
      passages: found.map(({ id, document, score }) => ({
        title: passages[id] ?? `document ${document}`,
        score,
      })),
    };
  }
  const said = intent === undefined ? [] : [intent, ...alsoIntents];
  const why = whatSpoke(candidates);
  const notSaid = whyNotSaid(receipt, said, passages);
  return {
    passages: [],
    candidates: candidates.map((candidate, at) => ({
      name: nameOf(candidate, passages),
      kind: candidate.passage ? "passage" : "intent",
      chance: candidate.chance,
      isAllowed: profile.standingOf(candidate.intent ?? KNOWLEDGE_INTENT) === "allowed",
      isSaid: candidate.passage
        ? said.includes(KNOWLEDGE_INTENT) && candidate.passage.id === subject?.passage?.id
        : said.includes(candidate.intent!),
      why: why[at]!,
    })),
    ...(notSaid !== undefined && { notSaid }),
  };
}

/** Nothing was decided: an operator got the message. */
function passedOnView({ receipt, metadata }: TurnToView): ReceiptView {
  return {
    verdict: `${PASSED_ON}.`,
    outcome: "answered",
    rule: receipt.rule,
    reason: metadata.enforcementReason ?? null,
    intent: null,
    scores: [],
    intents: [],
    words: [],
    nearest: null,
    steps: [],
    passages: [],
  };
}

function verdictOf({ metadata, state, receipt, reasons }: TurnToView, decision: Decision): string {
  const chance = chanceOf(receipt, decision, reasons);
  const short = inShort(decision, chance === undefined ? undefined : `${Math.round(chance * 100)} %`);
  const sentence = `${short.charAt(0).toUpperCase()}${short.slice(1)}: ${RULES_IN_WORDS[receipt.rule]}`;
  return `${sentence}${observedOf(receipt)}${failureOf({ metadata, receipt, ...(state && { state }) })}.`;
}

/** Probability of the deciding intent in the original message. */
function chanceOf(
  { readings: [plain] }: DecisionReceipt,
  { intent }: Decision,
  reasons: Reasons | undefined,
): number | undefined {
  if (reasons !== undefined && reasons.intent === intent) return reasons.confidence;
  return plain?.scores.find((score) => score.intent === intent)?.confidence;
}

function observedOf({ wouldRestrict }: DecisionReceipt): string {
  return wouldRestrict === undefined
    ? ""
    : "; the profile only observes, and would have refused it when enforced";
}

function failureOf({
  metadata,
  state,
  receipt: { offersPerson },
}: Pick<TurnToView, "metadata" | "state" | "receipt">): string {
  if (state === "unanswered")
    return `; but no model answered, and the message was not counted${offersPerson ? "; the visitor was offered a person" : ""}`;
  return metadata.enforcementReason === "schema_fallback"
    ? "; but the answer failed the output schema, and the fallback was given"
    : "";
}

/** In the order in which they are checked. */
function scoresOf({ readings, thresholds, knowledge, candidates }: DecisionReceipt): ReceiptView["scores"] {
  const [plain] = readings;
  const denied = Math.max(0, ...readings.flatMap((reading) => [reading.denied, reading.clause?.denied ?? 0]));
  return [
    { name: "deny", value: denied, threshold: thresholds.deny },
    // Candidates compete only with each other, without a threshold.
    ...(candidates === undefined
      ? [{ name: "match" as const, value: plain?.inScope ?? 0, threshold: thresholds.match }]
      : []),
    ...(knowledge?.thresholds === undefined
      ? []
      : [
          {
            name: "knowledge" as const,
            value: knowledge.confidence,
            threshold: knowledge.thresholds.answer,
          },
        ]),
  ];
}

/** Position of the part that decided; undefined if it was the whole message, or the part cannot be located. */
function spanOf({ input, receipt, reasons }: TurnToView, decision: Decision): Span | undefined {
  if (input === "") return undefined;
  if (receipt.deniedBy) return spanOfDenied(input, receipt.deniedBy);
  const isByPart = decision.rule === "denied-in-clause" || decision.rule === "unclear";
  if (!isByPart || reasons?.deniedPart === undefined) return undefined;
  return spanOfWords(input, reasons.deniedPart.split(" "));
}

function modelOf({ calls, usage, rejected }: ModelReceipt): NonNullable<ReceiptView["model"]> {
  return {
    calls: calls.map(({ server, outcome, reason, milliseconds }) => ({
      model: server,
      result: reason === undefined ? outcome : `${outcome}: ${reason}`,
      milliseconds,
    })),
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    ...(rejected && { rejected: WORDING_FAULTS[rejected] }),
  };
}

/**
 * The receipt of a stored turn for display. If the message was stored, it is decided again to find the reasons; else, or if an operator got
 * it, only the receipt is used.
 *
 * @returns undefined if no turn has this request id, or its bot was deleted
 */
export async function explainReceipt(
  store: ExplainStore,
  requestId: string,
  by: ExplainBy,
): Promise<ReceiptView | undefined> {
  const turn = await store.conversations.findTurnByRequest(requestId);
  const bot = turn && (await store.bots.find(turn.botId));
  if (!turn || !bot) return undefined;
  const document = await store.bots.findVersion(bot.key, turn.botVersion);
  const isDecided = isTextKept(turn) && !isPassedOn(turn);
  const explanation = isDecided && document ? await explainTurn(store, requestId, by) : undefined;
  if (explanation === undefined) return receiptViewOf({ ...turn, document });
  const { reasons, passages, agrees, isContextGone, encoder } = explanation;
  const again = encoder ? { encoderGone: encoder.used ?? "an earlier one" } : isContextGone ? {} : { agrees };
  return receiptViewOf({ ...turn, document, reasons, passages, ...again });
}
