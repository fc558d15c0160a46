import type { EmbeddingIndexes } from "../../bots/embedding-indexes.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Classification, DecisionThresholds, IntentAssistance } from "../../domain/decision.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";
import { applyJudgement, fuseEmbedding, unitVector } from "../../intent/classifier.ts";
import type { ModelFleet } from "../../model/model-fleet.ts";
import { buildJudgePrompt, parseJudgement } from "../../respond/judge-prompt.ts";
import type { ModelCosts } from "./model-costs.ts";

/** The parts that a consultation uses. */
export interface ConsultParts {
  models: Pick<ModelFleet, "complete" | "embed">;
  embeddingIndexes: Pick<EmbeddingIndexes, "find">;
}

/** Until when servers are asked, and what they cost. */
interface Asking {
  signal: AbortSignal;
  costs: ModelCosts;
}

/** Where the bot sets none: how far `inScope` may be from the match threshold for a judge to be asked. */
const DEFAULT_BAND = 0.15;
/** A judge answers with the name of one intent, as JSON. */
const JUDGE_MAX_TOKENS = 60;

/** What the bot's embedding server and its judge say about the intent of a message. */
export async function consultServers(
  parts: ConsultParts,
  { bot, input }: { bot: LoadedBot; input: string },
  judged: JudgedMessage,
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

interface ClassifiedText {
  input: string;
  classification: Classification;
}

/** Undefined where the bot asks for no embeddings. */
async function weighEmbedding(
  { models, embeddingIndexes }: ConsultParts,
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
  return fuseEmbedding(classification, bot.policy.intents, index, unitVector(run.vectors[0]!));
}

interface Verdict {
  outcome: NonNullable<IntentAssistance["judge"]>;
  /** Absent where the judge said nothing. */
  weighed?: Classification;
}

/** Whether a judge is asked about a message of this chance to be in scope, 0–1. Pure. */
export function inDoubt(
  { band = DEFAULT_BAND }: { band?: number },
  inScope: number,
  { match }: Pick<DecisionThresholds, "match">,
): boolean {
  return Math.abs(inScope - match) <= band;
}

/** Undefined where the bot has no judge, or there is no doubt. */
async function askJudge(
  { models }: ConsultParts,
  bot: LoadedBot,
  { input, classification }: ClassifiedText,
  { signal, costs }: Asking,
): Promise<Verdict | undefined> {
  const { intents = [], classifier: { judge } = {} } = bot.document;
  const { thresholds, intents: names } = bot.policy;
  if (!judge || !inDoubt(judge, classification.inScope, thresholds)) return undefined;
  const messages = buildJudgePrompt(intents, input);
  const request = { messages, maxTokens: JUDGE_MAX_TOKENS, temperature: 0, outputSchema: bot.judgeSchema };
  const run = await models.complete([judge.model], request, { signal });
  const text = run.completion.outcome === "ok" ? run.completion.text : "";
  costs.add(run, messages, text);
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
