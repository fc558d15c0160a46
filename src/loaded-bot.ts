import { type DomainRule, getDomainRules } from "./access/allowed-domain.ts";
import { type BotDocument, DEFAULT_MAX_INPUT_LENGTH } from "./domain/bot.ts";
import type { Classifier } from "./domain/decision.ts";
import type { BotId, IntentName } from "./domain/ids.ts";
import { type OutputPolicy, compileOutputPolicy } from "./governance/output-policy.ts";
import { type GovernancePolicy, compileGovernancePolicy } from "./governance/policy.ts";
import { openIntentModel } from "./intent/intent-model.ts";
import { type Script, compileScript } from "./respond/scripted.ts";
import type { BotKey, StoredBot } from "./store/bots.ts";

/**
 * One version of a bot, ready to serve. Each part is compiled at its first use and kept: a server with a thousand bots
 * starts at once, and no message pays twice.
 */
export class LoadedBot {
  readonly key: BotKey;
  readonly id: BotId;
  readonly version: number;
  readonly document: BotDocument;
  readonly #openModel: () => Uint8Array;
  #domains: readonly DomainRule[] | undefined;
  #policy: GovernancePolicy | undefined;
  #classifier: Classifier | undefined;
  #script: Script | undefined;
  #output: OutputPolicy | undefined;

  /** `openModel` reads the bytes of the version's intent model. */
  constructor(stored: StoredBot, openModel: () => Uint8Array) {
    this.key = stored.key;
    this.id = stored.id;
    this.version = stored.version;
    this.document = stored.document;
    this.#openModel = openModel;
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

  get classifier(): Classifier {
    return (this.#classifier ??= openIntentModel(this.#openModel()));
  }

  get script(): Script {
    return (this.#script ??= compileScript(this.document));
  }

  /** The output schema and fallback that count for an intent; undefined where there is none. */
  outputRuleFor(intent: IntentName) {
    return (this.#output ??= compileOutputPolicy(this.document)).ruleFor(intent);
  }
}
