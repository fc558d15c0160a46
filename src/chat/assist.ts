import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { Classification, Decision, IntentAssistance } from "../domain/decision.ts";
import { decide } from "../governance/decide.ts";
import { type JudgedMessage, reconsider } from "../governance/judge-message.ts";
import type { GovernancePolicy } from "../governance/policy.ts";
import { fuseEmbedding, normalise, withConfidences } from "../intent/assistance/embedding-fusion.ts";
import { applyJudgement } from "../intent/assistance/judgement.ts";
import { Deadline } from "../model/deadline.ts";
import { buildJudgePrompt, parseJudgement } from "../respond/judge-prompt.ts";
import type { DecidedMessage, TurnRuntime } from "./message.ts";
import type { ModelLedger } from "./model-ledger.ts";
import { previousTurn } from "./previous-turn.ts";

/** Longer, and the embedded classifier decides alone. */
const ASSISTANCE_MS = 5000;
const DEFAULT_BAND = 0.15;
const JUDGE_MAX_TOKENS = 60;

/** Whether model servers may still say something about the intent. What was denied stays denied, and is sent nowhere. */
export function mayBeAssisted({ document, policy }: LoadedBot, decision: Decision): boolean {
  const { embeddings, judge } = document.classifier ?? {};
  const isOpen = decision.kind === "allowed" || decision.rule === "no-match";
  return (embeddings !== undefined || judge !== undefined) && isOpen && policy.intents.length > 0;
}

/**
 * Decides again with what the bot's embedding server and judge say about the intent. A server that fails leaves the
 * decision to the embedded classifier, and the receipt says so.
 */
export async function assist(
  runtime: TurnRuntime,
  decided: DecidedMessage,
  ledger: ModelLedger,
): Promise<DecidedMessage> {
  const { message, conversation, at } = decided;
  const { policy } = message.bot;
  const assistance = await consultServers(runtime, decided, ledger);
  const judged = withAssistance(decided.judged, assistance, policy);
  const decision = decide({ judged, policy, ...previousTurn(conversation.turns, at) });
  return { ...decided, judged, assistance, decision };
}

async function consultServers(
  runtime: TurnRuntime,
  { message, judged }: DecidedMessage,
  ledger: ModelLedger,
): Promise<IntentAssistance> {
  const { bot, input } = message;
  using deadline = new Deadline(ASSISTANCE_MS, message.left);
  const { classification } = judged.plain;
  const fused = await weighEmbedding(runtime, bot, { input, classification }, deadline.signal, ledger);
  const known = typeof fused === "object" ? fused : classification;
  const verdict = await askJudge(runtime, bot, { input, classification: known }, deadline.signal, ledger);
  const weighed = verdict?.weighed ?? (known === classification ? undefined : known);
  return {
    ...(fused && { embeddings: fused === "unavailable" ? fused : "used" }),
    ...(verdict && { judge: verdict.outcome }),
    ...(weighed && { weighed: { confidences: [...weighed.confidences], inScope: weighed.inScope } }),
  };
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

interface ClassifiedText {
  input: string;
  classification: Classification;
}

/** Undefined where the bot asks for no embeddings. */
async function weighEmbedding(
  { models, embeddingIndexes }: TurnRuntime,
  bot: LoadedBot,
  { input, classification }: ClassifiedText,
  signal: AbortSignal,
  ledger: ModelLedger,
): Promise<Classification | "unavailable" | undefined> {
  const { embeddings } = bot.document.classifier ?? {};
  if (!embeddings) return undefined;
  const index = await unlessAborted(embeddingIndexes.find(bot, embeddings.model), signal);
  if (!index) return "unavailable";
  const run = await models.embed(embeddings.model, [input], signal);
  if (run) ledger.addEmbedding(run, input);
  if (!run?.vectors) return "unavailable";
  return fuseEmbedding(classification, bot.policy.intents, index, normalise(run.vectors[0]!));
}

interface Verdict {
  outcome: NonNullable<IntentAssistance["judge"]>;
  /** Absent where the judge said nothing. */
  weighed?: Classification;
}

/** Undefined where the bot has no judge, or there is no doubt. */
async function askJudge(
  { models }: TurnRuntime,
  bot: LoadedBot,
  { input, classification }: ClassifiedText,
  signal: AbortSignal,
  ledger: ModelLedger,
): Promise<Verdict | undefined> {
  const { intents = [], classifier: { judge } = {} } = bot.document;
  const { thresholds, intents: names } = bot.policy;
  const doubt = Math.abs(classification.inScope - thresholds.match);
  if (!judge || doubt > (judge.band ?? DEFAULT_BAND)) return undefined;
  const messages = buildJudgePrompt(intents, input);
  const request = { messages, maxTokens: JUDGE_MAX_TOKENS, temperature: 0, outputSchema: bot.judgeSchema };
  const run = await models.complete([judge.model], request, { signal });
  const text = run.completion.outcome === "ok" ? run.completion.text : "";
  ledger.add(run, messages, text);
  const chosen = parseJudgement(text, intents);
  if (chosen === undefined) return { outcome: "unavailable" };
  const weighed = applyJudgement(classification, names, chosen, thresholds.match);
  return { outcome: chosen === null ? "chose_none" : "chose", weighed };
}

/** The result, or undefined as soon as the signal aborts; the work goes on. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}
