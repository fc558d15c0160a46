import { Counter, Gauge, type Registry } from "prom-client";

import type { BotLimits } from "../domain/bot.ts";
import type { BotId } from "../domain/ids.ts";
import type { BotKey } from "../store/interface/bots.ts";
import type { MonthlyUsage } from "../store/interface/usage.ts";

/** Results of turns; each turn has exactly one. */
export const TURN_RESULTS = [
  /** By an intent's own response or model. */
  "answered",
  /** A greeting, thanks, or the like. */
  "social",
  /** By the bot's documents. */
  "knowledge",
  /** The bot asked which of several intents was meant. */
  "asked_back",
  /** No intent matched, and the bot's default intent answered. */
  "default_intent",
  "no_intent_match",
  "DENY_LIST",
  "NOT_IN_ALLOW_LIST",
  "schema_fallback",
  /** No model answered, and the visitor was offered a person. */
  "model_down",
] as const;
export type TurnResult = (typeof TURN_RESULTS)[number];

/** Facts about a bot that the metrics use. */
export interface CountedBot {
  id: BotId;
  key: BotKey;
  limits: Pick<BotLimits, "monthlyMessageCap" | "monthlyTokenBudget">;
}

type Counts = Record<TurnResult, number>;

interface Labelled {
  bot: CountedBot;
  counts: Counts;
}

/** Bots with a label of their own. Each is a dozen series; Prometheus takes thousands of a server in its stride. */
export const MAX_LABELLED_BOTS = 100;

/** The label of all other bots together. A bot of that id is one of them. */
const OTHER = "other";

/**
 * Metrics by bot. At most {@link MAX_LABELLED_BOTS} have a label of their own: those with a cap or a budget first. A bot keeps
 * its label until it is gone, so that no counter ever falls. To count a turn is to add one to a number.
 */
export class BotMetrics {
  readonly #turns: Counter;
  readonly #bots: Gauge;
  readonly #usage: UsageGauges;
  readonly #own = new Map<BotId, Labelled>();
  readonly #others: Counts = noCounts();
  #hasOthers = false;

  constructor(registers: Registry[]) {
    const collect = () => this.#collectTurns();
    this.#turns = new Counter({
      name: "parley_bot_turns_total",
      help: "Turns by bot and what came of them; bots beyond the first hundred are `other`",
      labelNames: ["bot", "result"],
      registers,
      collect,
    });
    this.#bots = new Gauge({ name: "parley_bots", help: "Bots that are enabled", registers });
    this.#usage = usageGauges(registers);
  }

  countTurn(bot: BotId, result: TurnResult): void {
    (this.#own.get(bot)?.counts ?? this.#others)[result] += 1;
  }

  /** Takes over which bots there are. Those that are gone, or disabled, lose their label and what was counted by it. */
  follow(bots: Iterable<CountedBot>): void {
    const current = new Map(Array.from(bots, (bot) => [bot.id, bot]));
    for (const id of this.#own.keys()) if (!current.has(id)) this.#own.delete(id);
    for (const bot of [...current.values()].toSorted(byLimitThenId)) {
      const known = this.#own.get(bot.id);
      if (known) known.bot = bot;
      else if (this.#own.size < MAX_LABELLED_BOTS && bot.id !== OTHER) {
        this.#own.set(bot.id, { bot, counts: noCounts() });
      }
    }
    this.#hasOthers = current.size > this.#own.size;
    this.#bots.set(current.size);
  }

  /** Shows the usage of the month of all bots that have a label, as `read` finds it. */
  async showUsage(
    read: (bots: readonly BotKey[]) => Promise<ReadonlyMap<BotKey, MonthlyUsage>>,
  ): Promise<void> {
    const bots = Array.from(this.#own.values(), ({ bot }) => bot);
    const usage = await read(bots.map(({ key }) => key)).finally(() => {
      for (const gauge of Object.values(this.#usage)) gauge.reset();
    });
    for (const { id, key, limits } of bots) {
      const { messages = 0, modelTokens = 0 } = usage.get(key) ?? {};
      const { monthlyMessageCap, monthlyTokenBudget } = limits;
      this.#usage.messages.set({ bot: id }, messages);
      this.#usage.tokens.set({ bot: id }, modelTokens);
      if (monthlyMessageCap !== undefined) this.#usage.cap.set({ bot: id }, monthlyMessageCap);
      if (monthlyTokenBudget !== undefined) this.#usage.budget.set({ bot: id }, monthlyTokenBudget);
    }
  }

  /** Zeros are shown, too: an increase from nothing would not be seen otherwise. */
  #collectTurns(): void {
    this.#turns.reset();
    for (const [bot, { counts }] of this.#own) this.#show(bot, counts);
    if (this.#hasOthers || TURN_RESULTS.some((result) => this.#others[result] > 0))
      this.#show(OTHER, this.#others);
  }

  #show(bot: string, counts: Counts): void {
    for (const result of TURN_RESULTS) this.#turns.inc({ bot, result }, counts[result]);
  }
}

type UsageGauges = ReturnType<typeof usageGauges>;

function usageGauges(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ["bot"], registers });
  return {
    messages: gauge("parley_bot_month_messages", "Messages counted this month (UTC)"),
    cap: gauge("parley_bot_month_message_cap", "Messages that a month may have, of bots with a cap"),
    tokens: gauge("parley_bot_month_model_tokens", "Tokens of models counted this month (UTC)"),
    budget: gauge(
      "parley_bot_month_token_budget",
      "Tokens of models that a month may have, of bots with a budget",
    ),
  };
}

function noCounts(): Counts {
  return Object.fromEntries(TURN_RESULTS.map((result) => [result, 0])) as Counts;
}

function byLimitThenId(a: CountedBot, b: CountedBot): number {
  return Number(hasLimit(b)) - Number(hasLimit(a)) || (a.id < b.id ? -1 : 1);
}

function hasLimit({ limits: { monthlyMessageCap, monthlyTokenBudget } }: CountedBot): boolean {
  return monthlyMessageCap !== undefined || monthlyTokenBudget !== undefined;
}
