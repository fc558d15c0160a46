import { eventually } from "../../support/eventually.ts";
import { type Answer, type Line, send } from "../callers.ts";
import { SHOP } from "../folder.ts";
import type { Acknowledged } from "../ledger.ts";
import type { Tally } from "../tally.ts";
import type { OrdersDesk } from "./orders-desk.ts";

/** Tells it from the numbers of other messages, and has the five figures that the bot wants. */
const FIRST_ORDER = 10_000;
/** Calls that a kill cut count as proofs that are tried, for two minutes. This lets them pass. */
export const FORGET_PROOFS = "DELETE FROM failed_proofs";
const FINAL: ReadonlySet<string> = new Set(["done", "failed", "unsure"]);
/** The store was too busy, or another server was answering the key when it was killed. */
const UNAVAILABLE = 503;
const RETRY_MS = 50;

/** A visitor who has one order cancelled, insists until there is an answer to each message, and remembers what was told. */
export class Cancellation {
  readonly order: string;
  readonly acknowledged: Acknowledged[] = [];
  readonly #tally: Tally;
  readonly #told = new Set<string>();
  /** Keys of the yeses that were said, each the name of one message. */
  readonly #yeses: string[] = [];
  #conversationId: string | undefined;

  constructor(number: number, tally: Tally) {
    this.order = String(FIRST_ORDER + number);
    this.#tally = tally;
    tally.tried.actions++;
  }

  /** Whether the bot has asked for a yes. */
  get isAsked(): boolean {
    return this.#conversationId !== undefined;
  }

  /** Asks each server at once under one key. */
  async ask(lines: readonly Line[]): Promise<(Answer | undefined)[]> {
    const input = `cancel order ${this.order}, ann@example.org`;
    const answers = await Promise.all(
      lines.map((line) => this.#send(line, { botId: SHOP, input, key: `asking-${this.order}` })),
    );
    for (const answer of answers) {
      if (!this.#isAnswer(answer)) continue;
      if (answer.action !== "confirm") this.#tally.note("unexpected", `asked, and told ${answer.response}`);
      const { conversationId } = answer;
      if (this.isAsked && this.#conversationId !== conversationId)
        this.#tally.note("secondAnswers", `order ${this.order} was asked about twice`);
      this.#conversationId = conversationId;
      this.#keep(input, answer);
    }
    return answers;
  }

  /** Says yes to each server at once, under one key or one for each. */
  async confirm(
    lines: readonly Line[],
    { isOneMessage }: { isOneMessage: boolean },
  ): Promise<(Answer | undefined)[]> {
    const keys = lines.map((_, at) => `yes-${this.order}-${isOneMessage ? 0 : at}`);
    this.#yeses.push(...new Set(keys));
    return Promise.all(lines.map((line, at) => this.#sayYes(line, keys[at])));
  }

  /** Sends what has no answer yet, and every yes again, each under its key, to all servers at once; then another yes. */
  async insist(lines: readonly Line[]): Promise<void> {
    if (!this.isAsked)
      await eventually(async () => (await this.ask(lines)).some((answer) => answer?.status === 200));
    if (this.#yeses.length === 0) this.#yeses.push(`yes-${this.order}`);
    for (const key of [...this.#yeses, undefined]) {
      await Promise.all(
        lines.map((line) => eventually(async () => (await this.#sayYes(line, key))?.status === 200)),
      );
    }
  }

  async #sayYes(line: Line, key: string | undefined): Promise<Answer | undefined> {
    const input = "yes";
    const conversationId = this.#conversationId!;
    const answer = await this.#send(line, {
      botId: SHOP,
      input,
      conversationId,
      ...(key !== undefined && { key }),
    });
    if (!this.#isAnswer(answer)) return answer;
    this.#keep(input, answer);
    const { action } = answer;
    if (action !== undefined && FINAL.has(action)) this.#told.add(action);
    else if (action !== undefined) this.#tally.note("unexpected", `said yes, and told ${answer.response}`);
    return answer;
  }

  /** Again while the store is too busy. @returns undefined where the server went away. */
  async #send(...message: Parameters<typeof send>): Promise<Answer | undefined> {
    for (;;) {
      const answer = await send(...message);
      if (answer?.status !== UNAVAILABLE) return answer;
      this.#tally.tried.unavailable++;
      await Bun.sleep(RETRY_MS);
    }
  }

  #isAnswer(answer: Answer | undefined): answer is Answer {
    if (answer === undefined) return false;
    if (answer.status !== 200) this.#tally.note("unexpected", `order ${this.order} got ${answer.status}`);
    return answer.status === 200;
  }

  /** An answer under a key may be the repetition of another's. */
  #keep(input: string, { conversationId, response }: Answer): void {
    this.acknowledged.push({ botId: SHOP, conversationId, input, response });
  }

  /** Compares what was told with what the desk did. @param calls as many there have to be; without it, one at most. */
  compare(desk: OrdersDesk, place: string, calls?: number): void {
    const { length: called } = desk.callsOf(this.order);
    const isCancelled = desk.isCancelled(this.order);
    const where = `${place}: order ${this.order}`;
    const told = [...this.#told].join(", ");
    this.#tally.note("doneTwice", `${where}: ${called} calls`, Math.max(0, called - 1));
    if (calls !== undefined && called < calls)
      this.#tally.note("lost", `${where}: was not done, told ${told}`);
    if (calls !== undefined && called > calls)
      this.#tally.note("unexpected", `${where}: was done after ${told}`);
    if (this.#told.size === 0) this.#tally.note("lost", `${where}: nobody said what came of it`);
    if (this.#told.has(isCancelled ? "failed" : "done"))
      this.#tally.note("toldWrongly", `${where}: told ${told}, cancelled: ${isCancelled}`);
  }
}
