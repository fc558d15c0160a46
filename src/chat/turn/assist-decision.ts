import type { EmbeddingIndexes } from "../../bots/embedding-indexes.ts";
import type { Judge } from "../../bots/judging-thread.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Classification, Decision, DecisionRule, IntentAssistance } from "../../domain/decision.ts";
import { evidenceOf, reconsider, withReadingByModel } from "../../governance/judge-message.ts";
import type { JudgedMessage, ModelChoice } from "../../governance/judged-message.ts";
import type { GovernancePolicy } from "../../governance/policy.ts";
import { applyJudgement, fuseEmbedding, unitVector, withConfidences } from "../../intent/classifier.ts";
import { Deadline } from "../../model/deadline.ts";
import type { ModelFleet } from "../../model/model-fleet.ts";
import { decideTurn } from "./decide-turn.ts";
import type { DecidedMessage } from "./decided-message.ts";
import type { AskingServers, ModelCosts } from "./model-costs.ts";
import { isInDoubt, readByModel } from "./read-by-model.ts";
import type { CompletingModels } from "./respond-with-model.ts";
import { type EncoderParts, understandMessage, warnOfMeaning } from "./use-encoder.ts";

/** The parts that assistance uses. */
export interface AssistParts extends EmbeddingParts, EncoderParts {
  models: EmbeddingParts["models"] & CompletingModels;
  judge: Judge;
}

/** Timeout of all servers together; then the message is decided without them. Chosen by hand. */
const ASSISTANCE_MS = 5000;

/** Rules of unanswered messages that another reading may answer. All other rules deny, or ask back because of a possible denial. */
const OPEN_RULES: ReadonlySet<DecisionRule> = new Set([
  "no-match",
  "follow-up",
  "shared-word",
  "said-before",
]);

/** Whether model servers may be asked about a message. A denied message stays denied and is sent nowhere. */
export function mayBeAssisted({ document, policy, knowledge }: LoadedBot, decision: Decision): boolean {
  const { embeddings, judge } = document.classifier ?? {};
  const isOpen =
    decision.kind === "allowed" || (decision.reason === "no_intent_match" && OPEN_RULES.has(decision.rule));
  const isFor = (server: object | undefined, isThere: boolean) => server !== undefined && isThere;
  const hasIntents = policy.intents.length > 0;
  return isOpen && (isFor(embeddings, hasIntents) || isFor(judge, hasIntents || knowledge.isThere()));
}

/**
 * Decides again with the intent from the bot's embedding server and the question rewritten by its judge, if these may be asked. If a
 * server fails, the decision stays, and the receipt records it.
 */
export async function assistDecision(
  parts: AssistParts,
  decided: DecidedMessage,
  left: AbortSignal,
  costs: ModelCosts,
): Promise<DecidedMessage> {
  const { message, conversation, at, stopwatch } = decided;
  const { bot, requestId } = message;
  if (!mayBeAssisted(bot, decided.decision)) return decided;
  using deadline = new Deadline(ASSISTANCE_MS, left);
  const assisted = await consultServers(parts, decided, { signal: deadline.signal, costs });
  const { knowledge: _, candidates: __, ...undecided } = decided;
  const deciding = { bot, vectors: parts.vectors, onFailure: warnOfMeaning(parts, requestId) };
  const again = await decideTurn(deciding, assisted.judged, conversation.turns, at);
  stopwatch.lap("assist");
  return { ...undecided, ...assisted, ...again };
}

/** Asks the servers, and judges the message with their replies. */
async function consultServers(
  parts: AssistParts,
  decided: DecidedMessage,
  asking: AskingServers,
): Promise<Pick<DecidedMessage, "judged" | "assistance" | "standalone">> {
  const { message, candidates } = decided;
  const { bot } = message;
  const embedded = await weighEmbedding(parts, message, decided.judged.plain.classification, asking);
  const judged = withAssistance(decided.judged, embedded, bot);
  const { classifier: settings = {} } = bot.document;
  const evidence = { ...evidenceOf(judged, bot.policy), ...(candidates && { candidates: [...candidates] }) };
  if (!settings.judge || !mayBeRead(decided) || !isInDoubt(settings, evidence))
    return { judged, assistance: embedded };
  const read = await readByModel(parts.models, decided, settings.judge.model, asking);
  const assistance = { ...embedded, ...read.assistance };
  if (read.question === undefined) return { judged, assistance };
  const plain = await parts.judge(bot, read.question);
  const question = await understandMessage(parts, { ...message, input: read.question }, plain);
  return {
    judged: withAssistance(decided.judged, assistance, bot, question.judged),
    assistance: { ...assistance, ...(question.understanding && { understanding: question.understanding }) },
    standalone: read.question,
  };
}

/** Courtesies and a plain yes need no judge. */
function mayBeRead({ judged: { isAgreement, social }, decision }: DecidedMessage): boolean {
  return !isAgreement && social === undefined && decision.rule !== "choice";
}

/**
 * A message with the servers' replies, new or from its receipt.
 * @param question the rewritten question, judged as a message.
 */
export function withAssistance(
  judged: JudgedMessage,
  assistance: IntentAssistance | undefined,
  { policy, knowledge }: Pick<LoadedBot, "policy" | "knowledge">,
  question?: JudgedMessage,
): JudgedMessage {
  const weighed = withWeighed(judged, assistance, policy);
  if (question === undefined) return weighed;
  const choice = modelChoiceOf(assistance);
  if (choice === undefined) return withReadingByModel(weighed, { question });
  // If passages compete with intents, the choice is applied there.
  const chosen = knowledge.isThere() ? question : withChosenIntent(question, choice, policy);
  return withReadingByModel(weighed, { question: chosen, choice });
}

function withWeighed(
  judged: JudgedMessage,
  assistance: IntentAssistance | undefined,
  policy: GovernancePolicy,
): JudgedMessage {
  const { weighed } = assistance ?? {};
  if (weighed?.confidences.length !== policy.intents.length) return judged;
  const confidences = Float32Array.from(weighed.confidences);
  return reconsider(judged, withConfidences(confidences, policy.intents, weighed.inScope), policy);
}

function modelChoiceOf({ chosen, judge, passedOver = [] }: IntentAssistance = {}): ModelChoice | undefined {
  if (chosen !== undefined) return { kind: "one", target: chosen };
  return judge === "chose_none" ? { kind: "none", passages: passedOver } : undefined;
}

/** Suspicion of the question is kept. */
function withChosenIntent(
  question: JudgedMessage,
  choice: ModelChoice,
  { intents, thresholds }: GovernancePolicy,
): JudgedMessage {
  const intent = choice.kind === "one" ? (choice.target.intent ?? null) : null;
  const { plain } = question;
  const classification = applyJudgement(plain.classification, intents, intent, thresholds.match);
  return { ...question, plain: { ...plain, classification } };
}

/** The parts that weighing an embedding uses. */
export interface EmbeddingParts {
  models: Pick<ModelFleet, "embed">;
  embeddingIndexes: Pick<EmbeddingIndexes, "find">;
}

/** The intent by the bot's embedding server; undefined if the bot uses none. */
export async function weighEmbedding(
  { models, embeddingIndexes }: EmbeddingParts,
  { bot, input }: { bot: LoadedBot; input: string },
  classification: Classification,
  { signal, costs }: AskingServers,
): Promise<IntentAssistance> {
  const { embeddings } = bot.document.classifier ?? {};
  if (!embeddings || bot.policy.intents.length === 0) return {};
  const index = await unlessAborted(embeddingIndexes.find(bot, embeddings.model), signal);
  if (!index) return { embeddings: "unavailable" };
  const run = await models.embed(embeddings.model, [input], signal);
  if (run) costs.addEmbedding(run, input);
  if (!run?.vectors) return { embeddings: "unavailable" };
  const fused = fuseEmbedding(classification, bot.policy.intents, index, unitVector(run.vectors[0]!));
  const { confidences, inScope } = fused;
  return { embeddings: "used", weighed: { confidences: [...confidences], inScope } };
}

/** The result, or undefined as soon as the signal aborts; the work continues. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}
