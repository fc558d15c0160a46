import { type DomainRule, getDomainRules } from "../access/allowed-domain.ts";
import { type BotDocument, DEFAULT_MAX_INPUT_LENGTH } from "../domain/bot.ts";
import type { BotId, IntentName } from "../domain/ids.ts";
import { type Responder, responderFor } from "../domain/responder.ts";
import type { Awaitable } from "../domain/waiting.ts";
import { compileOutputPolicy, type OutputPolicy } from "../governance/output/output-policy.ts";
import { compileGovernancePolicy, type GovernancePolicy } from "../governance/policy.ts";
import type { IntentClassifier } from "../intent/classifier.ts";
import type { OtherText } from "../knowledge/weigh-passages.ts";
import { briefOf, topicOf } from "../respond/brief.ts";
import { compileScript, type Script } from "../respond/scripted.ts";
import type { BotKey, StoredBot } from "../store/interface/bots.ts";
import { type BotKnowledge, NO_KNOWLEDGE } from "./bot-knowledge.ts";
import type { Sentences } from "./sentence-models.ts";

/** Access to a bot's models. */
export interface BotModels {
  /** The version's classifier. Bots with the same intents share one. */
  classifier: IntentClassifier;
  /** Finds the sentence model of its examples. */
  findSentences: () => Awaitable<Sentences>;
}

/**
 * One version of a bot, ready to serve. Each part is compiled at its first use and kept.
 */
export class LoadedBot {
  readonly key: BotKey;
  readonly id: BotId;
  readonly version: number;
  readonly document: BotDocument;
  /** Its documents. */
  readonly knowledge: BotKnowledge;
  #answers: readonly OtherText[] | undefined;
  readonly #models: BotModels;
  #domains: readonly DomainRule[] | undefined;
  #policy: GovernancePolicy | undefined;
  #script: Script | undefined;
  #output: OutputPolicy | undefined;
  #brief: string | undefined;

  constructor(
    stored: Pick<StoredBot, "key" | "id" | "version" | "document">,
    models: BotModels,
    knowledge = NO_KNOWLEDGE,
  ) {
    this.knowledge = knowledge;
    this.key = stored.key;
    this.id = stored.id;
    this.version = stored.version;
    this.document = stored.document;
    this.#models = models;
  }

  get maxInputLength(): number {
    return this.document.maxInputLength ?? DEFAULT_MAX_INPUT_LENGTH;
  }

  get domains(): readonly DomainRule[] {
    return (this.#domains ??= getDomainRules(this.document.allowedDomains));
  }

  get policy(): GovernancePolicy {
    return (this.#policy ??= compileGovernancePolicy(this.document, this.classifier));
  }

  get classifier(): IntentClassifier {
    return this.#models.classifier;
  }

  /** The sentence model of the examples. Not kept here, because thousands of bots would use too much memory. */
  findSentences(): Awaitable<Sentences> {
    return this.#models.findSentences();
  }

  get script(): Script {
    return (this.#script ??= compileScript(this.document, this.policy.texts.say("noAnswerYet")));
  }

  /** The label and answer of each intent, to be compared with messages like passages. */
  get answers(): readonly OtherText[] {
    return (this.#answers ??= this.policy.intents.map((intent) => ({
      title: this.policy.labels.get(intent) ?? intent,
      body: this.document.intents?.find(({ name }) => name === intent)?.responses?.[0] ?? "",
    })));
  }

  /** The responder of an intent. */
  responderFor(intent: IntentName): Responder {
    return responderFor(this.document, intent);
  }

  /** The part of a model's prompt about this bot. */
  get brief(): string {
    return (this.#brief ??= briefOf(this.document, this.#scope()));
  }

  /** The part of a model's prompt about an intent. */
  topicOf(intent: IntentName): string {
    const described = this.document.intents?.find(({ name }) => name === intent) ?? { name: intent };
    return topicOf(described, this.policy.labels.get(intent) ?? intent, this.document.name);
  }

  #scope() {
    const { intents, labels, profile } = this.policy;
    const labelsOf = (isPermitted: boolean) =>
      intents
        .filter((intent) => (profile.standingOf(intent) === "allowed") === isPermitted)
        .map((intent) => labels.get(intent) ?? intent);
    return { permitted: labelsOf(true), forbidden: labelsOf(false) };
  }

  /** The output schema of an intent with its fallback; undefined without one. */
  outputRuleFor(intent: IntentName) {
    return this.#outputPolicy.ruleFor(intent);
  }

  get #outputPolicy(): OutputPolicy {
    return (this.#output ??= compileOutputPolicy(this.document));
  }
}
