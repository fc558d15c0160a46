import type { Classification, Decision, IntentAssistance } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import { decide } from "../governance/decide.ts";
import { reconsider } from "../governance/judge-message.ts";
import { fuseEmbedding, normalise } from "../intent/embedding-fusion.ts";
import { applyJudgement } from "../intent/judgement.ts";
import type { LoadedBot } from "../loaded-bot.ts";
import { Deadline } from "../model/deadline.ts";
import { embedTexts } from "../model/embed.ts";
import { buildJudgePrompt, judgeSchema, parseJudgement } from "../respond/judge-prompt.ts";
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
  const { message, conversation, at, judged } = decided;
  const { policy } = message.bot;
  using deadline = new Deadline(ASSISTANCE_MS, message.left);
  const assistance: IntentAssistance = {};
  let { classification } = judged.plain;
  const fused = await weighEmbedding(runtime, decided, deadline.signal);
  if (fused) assistance.embeddings = fused === "unavailable" ? fused : "used";
  if (typeof fused === "object") classification = fused;
  const verdict = await askJudge(
    runtime,
    message.bot,
    { input: message.input, classification },
    deadline.signal,
    ledger,
  );
  if (verdict) assistance.judge = verdict.outcome;
  if (verdict && verdict.outcome !== "unavailable") {
    classification = applyJudgement(classification, policy.intents, verdict.intent, policy.thresholds.match);
  }
  const reconsidered = reconsider(judged, classification, policy);
  const previous = previousTurn(conversation.turns, at);
  return {
    ...decided,
    judged: reconsidered,
    assistance,
    decision: decide({ judged: reconsidered, policy, ...previous }),
  };
}

/** Undefined where the bot asks for no embeddings. */
async function weighEmbedding(
  { models, embeddingIndexes }: TurnRuntime,
  { message, judged }: DecidedMessage,
  signal: AbortSignal,
): Promise<Classification | "unavailable" | undefined> {
  const { bot, input } = message;
  const { embeddings } = bot.document.classifier ?? {};
  if (!embeddings) return undefined;
  const server = models.find(embeddings.model);
  if (!server) return "unavailable";
  const index = await unlessAborted(embeddingIndexes.find(bot, server), signal);
  const vectors = index && (await embedTexts(server, [input], signal));
  if (!vectors) return "unavailable";
  return fuseEmbedding(judged.plain.classification, bot.policy.intents, index, normalise(vectors[0]!));
}

interface Verdict {
  outcome: NonNullable<IntentAssistance["judge"]>;
  intent: IntentName | undefined;
}

/** Undefined where the bot has no judge, or there is no doubt. */
async function askJudge(
  { models }: TurnRuntime,
  { document, policy }: LoadedBot,
  { input, classification }: { input: string; classification: Classification },
  signal: AbortSignal,
  ledger: ModelLedger,
): Promise<Verdict | undefined> {
  const { judge } = document.classifier ?? {};
  if (!judge || Math.abs(classification.pIn - policy.thresholds.match) > (judge.band ?? DEFAULT_BAND))
    return undefined;
  const intents = document.intents ?? [];
  const messages = buildJudgePrompt(intents, input);
  const outputSchema = judgeSchema(intents);
  const request = { messages, maxTokens: JUDGE_MAX_TOKENS, temperature: 0, outputSchema };
  const run = await models.complete([judge.model], request, { signal });
  const { completion } = run;
  const text = completion.outcome === "ok" ? completion.text : "";
  ledger.add(run, messages, text);
  const chosen = parseJudgement(text, intents);
  if (chosen === undefined) return { outcome: "unavailable", intent: undefined };
  return chosen === null
    ? { outcome: "chose_none", intent: undefined }
    : { outcome: "chose", intent: chosen as IntentName };
}

/** The result, or undefined as soon as the signal aborts; the work goes on. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}
