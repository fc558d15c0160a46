import { knowledgeInMemory, NO_KNOWLEDGE } from "../../../../src/bots/bot-knowledge.ts";
import { examplesOf } from "../../../../src/bots/training.ts";
import { loadConfig } from "../../../../src/config/config.ts";
import type { BotDocument } from "../../../../src/domain/bot.ts";
import type { IntentName } from "../../../../src/domain/ids.ts";
import type { Passage } from "../../../../src/knowledge/passage.ts";
import type { Rehearsal } from "../../../../src/operate/rehearsal.ts";
import { openRehearsal } from "../../../../src/runtime/open-rehearsal.ts";
import { encoderHere, trainHere } from "../../../support/encode-here.ts";
import type { Outcome } from "../tally.ts";
import type { AllowedMessage } from "./read-set.ts";

const NO_MODEL_IS_ASKED = { models: "not-asked", signal: new AbortController().signal } as const;
const config = loadConfig({ flags: {}, env: {}, readFile: () => "" });

/** Trains a bot as `parley seed` does, with the sentence encoder. @param passages of its documents, if it has any. */
export async function openBot(document: BotDocument, passages: readonly Passage[]): Promise<Rehearsal> {
  const knowledge =
    passages.length === 0
      ? NO_KNOWLEDGE
      : knowledgeInMemory(new Map(passages.map((passage, i) => [i + 1, passage])));
  const trained = trainHere(examplesOf(document));
  return openRehearsal(config, document, trained, { encoder: encoderHere, knowledge });
}

/** The executable's decision about a message, which may be the second of a conversation. */
export async function ask(bot: Rehearsal, { before, text }: AllowedMessage): Promise<Outcome> {
  const turns = before === undefined ? [] : [(await bot.sayAfter([], before, NO_MODEL_IS_ASKED)).past];
  const { answer, receipt } = await bot.sayAfter(turns, text, NO_MODEL_IS_ASKED);
  const { capabilityAllowed, enforcementReason } = answer.metadata;
  return {
    kind: capabilityAllowed ? "allowed" : "restricted",
    ...(enforcementReason && { reason: enforcementReason as NonNullable<Outcome["reason"]> }),
    ...(answer.intentDetected && { intent: answer.intentDetected as IntentName }),
    rule: receipt.rule,
  };
}
