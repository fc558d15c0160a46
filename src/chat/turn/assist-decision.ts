import type { EmbeddingIndexes } from "../../bots/embedding-indexes.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Classification, Decision, IntentAssistance } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import { type JudgedMessage, reconsider } from "../../governance/judge-message.ts";
import type { GovernancePolicy } from "../../governance/policy.ts";
import { fuseEmbedding, normalise, withConfidences } from "../../intent/assistance/embedding-fusion.ts";
import { applyJudgement } from "../../intent/assistance/judgement.ts";
import { Deadline } from "../../model/deadline.ts";
import type { ModelFleet } from "../../model/model-fleet.ts";
import { buildJudgePrompt, parseJudgement } from "../../respond/judge-prompt.ts";
import { type DecidedMessage, decideNextTurn } from "./decided-message.ts";
import type { ModelCosts } from "./model-costs.ts";

/** What assistance is made of. */
export interface AssistParts {
  models: Pick<ModelFleet, "complete" | "embed">;
  embeddingIndexes: Pick<EmbeddingIndexes, "find">;
}

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

/** What one turn asks of model servers: until when, and at which cost. */
interface Asking {
  signal: AbortSignal;
  costs: ModelCosts;
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
  const assistance = await consultServers(parts, decided, { signal: deadline.signal, costs });
  const judged = withAssistance(decided.judged, assistance, bot.policy);
  const decision = decideNextTurn(bot, judged, conversation.turns, at);
  stopwatch.lap("assist");
  return { ...decided, judged, assistance, decision };
}

async function consultServers(
  parts: AssistParts,
  { message: { bot, input }, judged }: DecidedMessage,
  asking: Asking,
): Promise<IntentAssistance> {
  const { classification } = judged.plain;
  const fused = await weighEmbedding(parts, bot, { input, classification }, asking);
  const known = typeof fused === "object" ? fused : classification;
  const verdict = await askJudge(parts, bot, { input, classification: known }, asking);
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
  { models, embeddingIndexes }: AssistParts,
  bot: LoadedBot,
  { input, classification }: ClassifiedText,
  { signal, costs }: Asking,
): Promise<Classification | "unavailable" | undefined> {
  const { embeddings } = bot.document.classifier ?? {};
  if (!embeddings) return undefined;
  const index = await unlessAborted(embeddingIndexes.find(bot, embeddings.model), signal);
  if (!index) return "unavailable";
  const run = await models.embed(embeddings.model, [input], signal);
  if (run) costs.addEmbedding(run, input);
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
  { models }: AssistParts,
  bot: LoadedBot,
  { input, classification }: ClassifiedText,
  { signal, costs }: Asking,
): Promise<Verdict | undefined> {
  const { intents = [], classifier: { judge } = {} } = bot.document;
  const { thresholds, intents: names } = bot.policy;
  const doubt = Math.abs(classification.inScope - thresholds.match);
  if (!judge || doubt > (judge.band ?? DEFAULT_BAND)) return undefined;
  const messages = buildJudgePrompt(intents, input);
  const request = { messages, maxTokens: JUDGE_MAX_TOKENS, temperature: 0, outputSchema: bot.judgeSchema };
  const run = await models.complete([judge.model], request, { signal });
  const text = run.completion.outcome === "ok" ? run.completion.text : "";
  costs.add(run, messages, text);
  const chosen = parseJudgement(text, intents);
  if (chosen === undefined) return { outcome: "unavailable" };
  const weighed = applyJudgement(classification, names, chosen as IntentName | null, thresholds.match);
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
