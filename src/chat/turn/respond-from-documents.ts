import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { ModelResponder } from "../../domain/bot.ts";
import type { ChatSource } from "../../domain/chat.ts";
import type { Completion } from "../../domain/completion.ts";
import type { WordingFault } from "../../domain/decision.ts";
import type { Passage } from "../../knowledge/passage.ts";
import { Deadline } from "../../model/deadline.ts";
import { checkGrounding, type GroundedAnswer } from "../../respond/check-grounding.ts";
import { buildGroundedPrompt, DEFAULT_HISTORY } from "../../respond/prompt.ts";
import { denyRuleIn, shownOf, sourceOf } from "./decide-turn.ts";
import type { DecidedMessage } from "./decided-message.ts";
import type { ModelCosts } from "./model-costs.ts";
import { type CompletingModels, DEFAULT_DEADLINE_MS, DEFAULT_MAX_TOKENS } from "./respond-with-model.ts";

/** The parts of documents that are shown. */
export interface ShownKnowledge {
  text: string;
  sources: readonly ChatSource[];
}

/**
 * Has a model word the answer from documents, with the passages it cites as sources. Undefined if it fails, or states something that its
 * passages do not support: then the documents' own sentences answer, and the receipt records the reason.
 */
export async function putInWords(
  models: CompletingModels,
  { message: { bot, input }, knowledge, conversation: { turns } }: DecidedMessage,
  responder: ModelResponder,
  { left, costs }: { left: AbortSignal; costs: ModelCosts },
): Promise<ShownKnowledge | undefined> {
  const passages = (knowledge?.passages ?? []).filter((passage) => mayBeTold(bot, passage));
  if (passages.length === 0) return undefined;
  using deadline = new Deadline(responder.deadlineMs ?? DEFAULT_DEADLINE_MS, left);
  const messages = buildGroundedPrompt({
    brief: bot.brief,
    passages,
    turns,
    history: { ...DEFAULT_HISTORY, ...responder.history },
    input,
  });
  const { temperature, maxTokens = DEFAULT_MAX_TOKENS } = responder;
  const run = await models.complete(
    responder.models,
    { messages, maxTokens, ...(temperature !== undefined && { temperature }) },
    { signal: deadline.signal },
  );
  costs.add(run, messages, "text" in run.completion ? run.completion.text : "");
  const grounded = groundedOf(bot, run.completion, passages);
  if ("fault" in grounded) {
    costs.mark({ rejected: grounded.fault });
    return undefined;
  }
  return { text: grounded.text, sources: grounded.cited.map((place) => sourceOf(passages[place]!)) };
}

function groundedOf(
  bot: LoadedBot,
  completion: Completion,
  passages: readonly Passage[],
): GroundedAnswer | { fault: WordingFault } {
  if (completion.outcome !== "ok") return { fault: "failed" };
  if (completion.truncated) return { fault: "truncated" };
  const grounded = checkGrounding(completion.text, passages);
  if ("fault" in grounded || denyRuleIn(bot, [grounded.text]) === undefined) return grounded;
  return { fault: "denied" };
}

/** Of the best passage only the shown sentences were checked for denials, but a model gets all of it, and other passages. */
export function mayBeTold(bot: LoadedBot, passage: Passage): boolean {
  if (bot.policy.mode === "observe") return true;
  return denyRuleIn(bot, [...shownOf(sourceOf(passage)), passage.body]) === undefined;
}
