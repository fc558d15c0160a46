import type { BotDocument } from "../../../src/domain/bot.ts";
import type { Classifier, Decision } from "../../../src/domain/decision.ts";
import type { BotId } from "../../../src/domain/ids.ts";
import { decide } from "../../../src/governance/decide.ts";
import { judgeMessage } from "../../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../../src/governance/policy.ts";
import type { Standings } from "../../../src/governance/suspicion/plausibility.ts";
import { openIntentModel } from "../../../src/intent/classifier.ts";
import { trainIntentModel } from "../../../src/intent/training/train.ts";
import type { TestedSet, Utterance } from "./data-sets.ts";
import { seededRandom, shuffled } from "./random.ts";

/** A classifier trained on the lines for training. */
export function trainClassifier({ train }: TestedSet): Classifier {
  const examples = Map.groupBy(train, ({ intent }) => intent);
  const intents = [...examples].map(([name, some]) => ({ name, examples: some.map(({ text }) => text) }));
  return openIntentModel(trainIntentModel(intents).model);
}

/** A bot on a data set's intents: a third denied, a third allowed, a third in neither list. */
export interface GovernedBot {
  denied: readonly Utterance[];
  allowed: readonly Utterance[];
  standings: Standings;
  readonly answer: (text: string) => Decision;
}

export function governBot(classifier: Classifier, { tested }: TestedSet, seed: number): GovernedBot {
  const random = seededRandom(seed);
  const intents = shuffled(classifier.intents, random);
  const third = Math.max(1, Math.round(intents.length / 3));
  const denied = new Set<string>(intents.slice(0, third));
  const allowed = new Set<string>(intents.slice(third, 2 * third));
  const bot: BotDocument = {
    id: "bench" as BotId,
    name: "Bench",
    allowedDomains: [],
    capabilityProfile: { allow: [...allowed], deny: [...denied] },
  };
  const policy = compileGovernancePolicy(bot, classifier);
  return {
    denied: shuffled(
      tested.filter(({ intent }) => denied.has(intent)),
      random,
    ),
    allowed: shuffled(
      tested.filter(({ intent }) => allowed.has(intent)),
      random,
    ),
    standings: policy.standings,
    answer: (text) => decide({ judged: judgeMessage(text, classifier, policy), policy }),
  };
}
