import type { UnderstandingBot } from "../../../../src/bots/understanding-bot.ts";
import { understandBy } from "../../../../src/bots/understanding.ts";
import type { BotDocument } from "../../../../src/domain/bot.ts";
import type { Decision } from "../../../../src/domain/decision.ts";
import { decide } from "../../../../src/governance/decide.ts";
import type { PreviousTurn } from "../../../../src/governance/follow-up/follow-up.ts";
import type { SaidBefore } from "../../../../src/governance/follow-up/said-before.ts";
import { judgeMessage } from "../../../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../../../src/governance/policy.ts";
import { openIntentModel, openSentenceModel } from "../../../../src/intent/classifier.ts";
import { encoderHere, trainHere } from "../../../support/encode-here.ts";
import type { AllowedMessage } from "./read-set.ts";

/** Decides the messages of a conversation as a server does. */
export type Ask = (message: AllowedMessage) => Promise<Decision>;

/** Visitors type the next message within seconds. */
const SECONDS_LATER_MS = 5000;

/** Trains a bot as `parley seed` does, sentence encoder and all. */
export function openBot(document: BotDocument): Ask {
  const { model, sentences } = trainHere(document.intents ?? []);
  const classifier = openIntentModel(model);
  const bot: UnderstandingBot = {
    classifier,
    policy: compileGovernancePolicy(document, classifier),
    sentences: sentences && openSentenceModel(sentences),
  };
  const understand = understandBy(encoderHere);
  const decideNext = async (text: string, said?: SaidBefore, previous?: PreviousTurn): Promise<Decision> => {
    const judged = await understand(bot, judgeMessage(text, classifier, bot.policy), said);
    return decide({ judged, policy: bot.policy, ...(previous && { previous }) });
  };
  return async ({ before, text }) => {
    if (before === undefined) return decideNext(text);
    const decision = await decideNext(before);
    return decideNext(text, saidBy(before, decision, bot), turnAfter(decision));
  };
}

/** What the message before leaves to the next. */
function saidBy(text: string, decision: Decision, { policy }: UnderstandingBot): SaidBefore {
  if (decision.kind === "restricted") return { text };
  const { intent } = decision;
  return { text, subject: { intent, name: policy.labels.get(intent) ?? intent, words: [] } };
}

function turnAfter(decision: Decision): PreviousTurn {
  return {
    ...(decision.intent !== undefined && { intent: decision.intent }),
    offered: decision.suggestions ?? [],
    asks: decision.kind === "restricted" && decision.suggestions.length > 0,
    wasAllowed: decision.kind === "allowed",
    ageMs: SECONDS_LATER_MS,
  };
}
