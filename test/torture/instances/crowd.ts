import type { Random } from "../../../src/intent/training/random.ts";
import { type Answer, send } from "../callers.ts";
import { INPUT, MODELLED, SCRIPTED } from "../folder.ts";
import type { Acknowledged } from "../ledger.ts";
import type { Fleet } from "./fleet.ts";

interface CrowdOptions {
  fleet: Pick<Fleet, "size" | "urlOf">;
  token: string;
  callers: number;
  random: Random;
  /** Bots with a cap, which the crowd uses up one after another. */
  cappedBots: number;
}

interface Message {
  botId: string;
  conversationId?: string | undefined;
  input: string;
  key: string;
}

/**
 * Callers behind the least of clients: each message has an Idempotency-Key, and where an instance goes away, or cannot store, the same is
 * sent to the next one until it is answered. Each message has a text of its own, so that a second answer to it shows in the database.
 */
export class Crowd {
  readonly acknowledged: Acknowledged[] = [];
  /** What should not have happened, in words. */
  readonly unexpected: string[] = [];
  readonly secondAnswers: string[] = [];
  /** Messages that were refused because of a cap. */
  refused = 0;
  /** How often a message was sent again. */
  retries = 0;
  /** Answers of each instance. */
  readonly answers: number[];
  readonly #options: CrowdOptions;
  readonly #talking: Promise<void>[];
  #isTalking = true;
  #sent = 0;
  #capped = 0;

  constructor(options: CrowdOptions) {
    this.#options = options;
    this.answers = Array.from({ length: options.fleet.size }, () => 0);
    this.#talking = Array.from({ length: options.callers }, () => this.#talk());
  }

  /** Resolves when every message is answered, or given up. */
  async stop(): Promise<void> {
    this.#isTalking = false;
    await Promise.all(this.#talking);
  }

  async #talk(): Promise<void> {
    const { random } = this.#options;
    let conversation: { botId: string; conversationId: string } | undefined;
    while (this.#isTalking) {
      const goesOn = conversation !== undefined && random() < GOES_ON_SHARE;
      const { botId, conversationId } = goesOn ? conversation! : { botId: this.#chooseBot() };
      const number = ++this.#sent;
      const message = { botId, conversationId, input: `${INPUT} ${number}`, key: `message-${number}` };
      const answer = await this.#say(message);
      conversation = answer && { botId, conversationId: answer.conversationId };
    }
  }

  #chooseBot(): string {
    const chance = this.#options.random();
    if (chance < MODEL_SHARE) return MODELLED;
    return chance < MODEL_SHARE + CAPPED_SHARE ? `capped-${this.#capped}` : SCRIPTED;
  }

  /** Some are sent to every instance at once, as a client does that does not wait long enough. */
  async #say(message: Message): Promise<Answer | undefined> {
    const { random, fleet } = this.#options;
    const first = Math.floor(random() * fleet.size);
    const places = random() < TO_ALL_SHARE ? this.answers.map((_, place) => place) : [first];
    const answers = await Promise.all(places.map((place) => this.#untilAnswered(message, place)));
    const told = answers.filter((answer) => answer?.status === 200);
    for (const answer of told) this.#keep(message, answer!);
    if (new Set(told.map((answer) => JSON.stringify(pick(answer!)))).size > 1)
      this.secondAnswers.push(`two answers under one key: ${message.key}`);
    return told[0];
  }

  async #untilAnswered(message: Message, first: number): Promise<Answer | undefined> {
    const { fleet, token } = this.#options;
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (let place = first; performance.now() < giveUpAt; place = (place + 1) % fleet.size) {
      const answer = await send({ url: fleet.urlOf(place), token }, message);
      if (answer?.status === 200) this.answers[place]! += 1;
      if (answer && answer.status !== UNAVAILABLE) return this.#isExpected(message, answer);
      this.retries += 1;
      await Bun.sleep(answer === undefined ? AFTER_LOSS_MS : AFTER_UNAVAILABLE_MS);
    }
    this.unexpected.push(`nobody answered ${message.key} within ${PATIENCE_MS / 1000} s`);
    return undefined;
  }

  #isExpected({ botId }: Message, answer: Answer): Answer | undefined {
    if (answer.status === 200) return answer;
    if (answer.status !== TOO_MANY) this.unexpected.push(`status ${answer.status}`);
    else {
      this.refused += 1;
      // The next bot with a cap, once for all callers that met this one's.
      if (botId === `capped-${this.#capped}`) this.#capped = (this.#capped + 1) % this.#options.cappedBots;
    }
    return undefined;
  }

  #keep({ botId, input }: Message, answer: Answer): void {
    this.acknowledged.push({ botId, input, ...pick(answer) });
  }
}

function pick({ conversationId, response }: Answer): { conversationId: string; response: string } {
  return { conversationId, response };
}

const GOES_ON_SHARE = 0.4;
const MODEL_SHARE = 0.2;
const CAPPED_SHARE = 0.2;
const TO_ALL_SHARE = 0.1;
const UNAVAILABLE = 503;
const TOO_MANY = 429;
/** Longer than a lease, and the outage before it. */
const PATIENCE_MS = 60_000;
const AFTER_LOSS_MS = 10;
const AFTER_UNAVAILABLE_MS = 100;
