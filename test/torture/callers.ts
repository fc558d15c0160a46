import type { ChatResponse } from "../../src/domain/chat.ts";
import type { Random } from "../../src/intent/training/random.ts";
import { INPUT, MODELLED, SCRIPTED } from "./folder.ts";
import type { Acknowledged } from "./ledger.ts";

/** A message under an idempotency key, and the answer if there has been one. */
export interface KeyedMessage {
  key: string;
  botId: string;
  input: string;
  answer?: { conversationId: string; response: string };
}

export interface Answer {
  status: number;
  requestId: string;
  conversationId: string;
  response: string;
  /** The state of an action, where one has a part in the answer. */
  action: string | undefined;
}

/** Where and as whom to call. */
export interface Line {
  url: string;
  token: string;
}

/** Sends one message. @returns undefined where the server went away. */
export async function send(
  { url, token }: Line,
  message: { botId: string; conversationId?: string | undefined; key?: string; input?: string },
): Promise<Answer | undefined> {
  const { key, ...fields } = message;
  try {
    const answer = await fetch(`${url}/chat`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        ...(key !== undefined && { "Idempotency-Key": key }),
      },
      body: JSON.stringify({ input: INPUT, ...fields }),
    });
    const body = (await answer.json()) as Partial<ChatResponse>;
    return {
      status: answer.status,
      requestId: answer.headers.get("x-request-id") ?? "",
      conversationId: body.conversationId ?? "",
      response: body.response ?? "",
      action: body.metadata?.action?.state,
    };
  } catch {
    // A server that was killed answers nobody; what it had not acknowledged is nobody's to count.
    return undefined;
  }
}

export interface CallersOptions {
  lines: readonly Line[];
  perServer: number;
  random: Random;
  /** The bot with a cap that this crowd runs into. */
  capped: string;
  /** Another one each time: each message has a text of its own, so that a second answer to it shows in the database. */
  nextNumber: () => number;
  /** Between two messages of one caller. */
  pauseMs?: number;
}

/** A crowd that talks without a pause until it is told to stop, and keeps what it was told. */
export class Callers {
  readonly acknowledged: Acknowledged[] = [];
  readonly keyed: KeyedMessage[] = [];
  /** Answers other than 200, 429 and 503, none of which is expected. */
  readonly unexpected: string[] = [];
  readonly #options: CallersOptions;
  readonly #talking: Promise<void>[];
  #isTalking = true;

  constructor(options: CallersOptions) {
    this.#options = options;
    this.#talking = options.lines.flatMap((line) =>
      Array.from({ length: options.perServer }, () => this.#talk(line)),
    );
  }

  async stop(): Promise<void> {
    this.#isTalking = false;
    await Promise.all(this.#talking);
  }

  async #talk(line: Line): Promise<void> {
    const { random, pauseMs = 0 } = this.#options;
    let conversation: { botId: string; conversationId: string } | undefined;
    while (this.#isTalking) {
      const isKeyed = random() < KEYED_SHARE;
      const goesOn = conversation !== undefined && !isKeyed && random() < GOES_ON_SHARE;
      const botId = goesOn ? conversation!.botId : this.#chooseBot(isKeyed);
      if (isKeyed) await this.#sayKeyed(botId);
      else conversation = await this.#say(line, botId, goesOn ? conversation!.conversationId : undefined);
      await Bun.sleep(pauseMs);
    }
  }

  #chooseBot(isKeyed: boolean): string {
    const { random, capped } = this.#options;
    const chance = random();
    if (chance < MODEL_SHARE) return MODELLED;
    return chance < MODEL_SHARE + CAPPED_SHARE && !isKeyed ? capped : SCRIPTED;
  }

  async #say(line: Line, botId: string, conversationId: string | undefined) {
    const input = `${INPUT} ${this.#options.nextNumber()}`;
    const answer = await send(line, { botId, conversationId, input });
    if (answer === undefined || !this.#isAcknowledgement(answer)) return undefined;
    this.acknowledged.push({ botId, input, ...pick(answer), requestId: answer.requestId });
    return { botId, conversationId: answer.conversationId };
  }

  /** Sent to every server at once: one answers, the others repeat it. */
  async #sayKeyed(botId: string): Promise<void> {
    const number = this.#options.nextNumber();
    const [key, input] = [`${this.#options.random()}-${number}`, `${INPUT} ${number}`];
    const message: KeyedMessage = { key, botId, input };
    this.keyed.push(message);
    const answers = await Promise.all(this.#options.lines.map((line) => send(line, { botId, key, input })));
    for (const answer of answers) {
      if (answer === undefined || !this.#isAcknowledgement(answer)) continue;
      this.acknowledged.push({ botId, input, ...pick(answer) });
      if (message.answer && message.answer.conversationId !== answer.conversationId)
        this.unexpected.push(`two answers under one key: ${key}`);
      message.answer ??= pick(answer);
    }
  }

  #isAcknowledgement({ status }: Answer): boolean {
    if (status === 200) return true;
    if (!EXPECTED_REFUSALS.has(status)) this.unexpected.push(`status ${status}`);
    return false;
  }
}

function pick({ conversationId, response }: Answer): { conversationId: string; response: string } {
  return { conversationId, response };
}

const KEYED_SHARE = 0.15;
const GOES_ON_SHARE = 0.3;
const MODEL_SHARE = 0.2;
const CAPPED_SHARE = 0.3;
/** The cap, and a key that another server was answering when it was killed. */
const EXPECTED_REFUSALS: ReadonlySet<number> = new Set([429, 503]);
