import { knowledgeOf } from "../../src/bots/bot-knowledge.ts";
import type { Judge } from "../../src/bots/judging-thread.ts";
import { PassageVectors } from "../../src/bots/passage-vectors.ts";
import { getIntentModel } from "../../src/bots/training.ts";
import { understandBy } from "../../src/bots/understanding.ts";
import { judgeMessage } from "../../src/governance/judge-message.ts";
import type { EncoderThread } from "../../src/intent/classifier.ts";
import { draftBot } from "../../src/operate/draft-bots.ts";
import { Slices } from "../../src/operate/long-work.ts";
import { decideSaid, messageOf, readSaid } from "../../src/operate/preview/compare-decisions.ts";
import type { StoredTurn } from "../../src/store/interface/conversations.ts";
import type { Store } from "../../src/store/interface/store.ts";

export const judge: Judge = (bot, text) => judgeMessage(text, bot.classifier, bot.policy);

/** What a preview says about the stored turns of a bot's live version: each turn with the decision in the column "Live". */
export async function previewTurns(store: Store, botId: string, encoder: Pick<EncoderThread, "encode">) {
  const { key, version, document } = (await store.bots.find(botId))!;
  const model = await getIntentModel(store, document);
  const live = draftBot(document, version, model, await knowledgeOf(store, key));
  const slices = new Slices(new AbortController().signal);
  const vectors = new PassageVectors({ store: store.vectors, encoder });
  const parts = { judge, understand: understandBy(encoder), vectors, slices, report: () => {} };
  const { messages, distinct } = await readSaid(store, key, slices);
  const decided: { turn: StoredTurn; decision: object }[] = [];
  for (const said of distinct) {
    const { intent, reason, rule } = await decideSaid(live, messageOf(said, true), parts);
    decided.push({ turn: said.turn, decision: { intent, reason, rule } });
  }
  return { messages, decided };
}

/** A stored turn's decision in the same form. */
export function decisionOf({ intent, receipt, metadata }: StoredTurn): object {
  return { intent: intent ?? null, reason: metadata.enforcementReason ?? null, rule: receipt.rule };
}
