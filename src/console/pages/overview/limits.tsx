import { h } from "preact";

import type { Overview } from "../../../domain/operator/overview.ts";
import { botName } from "../../bots.ts";
import { Bar } from "../../parts/badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { count } from "../../words/numbers.ts";
import { utcShortDay } from "../../words/times.ts";

/** Use of each bot's message cap and token budget this month, with a forecast. */
export function Limits({ limits, now }: { limits: readonly Limit[]; now: number }) {
  const { name, left } = monthWords(now);
  const columns: readonly Column<Limit>[] = [
    {
      label: "Bot",
      cell: ({ bot, kind }) => (
        <bdi>
          {botName(bot)}
          <span class="sub">{kind}</span>
        </bdi>
      ),
    },
    {
      head: <span class="vh">Use as a bar</span>,
      label: "Bar",
      className: "bar-cell no-phone",
      cell: ({ used, most, spentAt }) =>
        most === undefined ? null : (
          <Bar share={used / most} kind={spentAt === undefined ? "answered" : "unmatched"} />
        ),
    },
    {
      label: "Used",
      isNumber: true,
      cell: ({ used, most }) => (
        <span>
          {count(used)}
          <span class="sub">{most === undefined ? "no cap" : `of ${count(most)}`}</span>
        </span>
      ),
    },
    {
      label: "Forecast",
      isNumber: true,
      cell: (limit) => (
        <span class={limit.spentAt === undefined ? "dim" : "worse"}>{paceOf(limit, now)}</span>
      ),
    },
  ];
  return (
    <section class="section" aria-labelledby="h-caps">
      <header>
        <h2 id="h-caps">Caps and budgets, {name}</h2>
        <span class="end faint">{left}</span>
      </header>
      <Table
        caption="Use of each bot's monthly message cap and token budget"
        rows={limits}
        columns={columns}
        keyOf={({ bot, kind }) => `${bot} ${kind}`}
      />
    </section>
  );
}

type Usage = Overview["usage"][number];

/** A cap of a bot with its use. */
export interface Limit {
  readonly bot: string;
  readonly kind: "messages" | "model tokens";
  readonly used: number;
  /** Absent: no cap. */
  readonly most: number | undefined;
  /** Forecast for the end of the month at the current rate. */
  readonly expected: number;
  /** When the cap is used up at the current rate; absent: not this month. */
  readonly spentAt: number | undefined;
}

/** Every cap and budget of the month, and the messages of bots without one. @param now an instant of that month, UTC. */
export function limitsOf(usage: readonly Usage[], now: number): Limit[] {
  return usage.flatMap(({ bot, messages, cap, modelTokens, tokenBudget }) => [
    limitOf(bot, "messages", messages, cap, now),
    ...(modelTokens > 0 || tokenBudget !== undefined
      ? [limitOf(bot, "model tokens", modelTokens, tokenBudget, now)]
      : []),
  ]);
}

function limitOf(
  bot: string,
  kind: Limit["kind"],
  used: number,
  most: number | undefined,
  now: number,
): Limit {
  const { start, end } = monthOf(now);
  const perMs = used / Math.max(1, now - start);
  const expected = Math.round(perMs * (end - start));
  const spentAt = most !== undefined && expected > most ? Math.max(now, start + most / perMs) : undefined;
  return { bot, kind, used, most, expected, spentAt };
}

function monthOf(at: number): { start: number; end: number } {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}

/** The forecast in words: `38,100 by 30 Nov`, or when the cap is used up. Rounded to three digits, because it is an estimate. */
function paceOf({ used, most, expected, spentAt }: Limit, now: number): string {
  if (most !== undefined && used >= most) return "used up";
  if (spentAt !== undefined) return `used up on ${utcShortDay(spentAt)}`;
  const digits = Math.max(1, 10 ** (Math.floor(Math.log10(Math.max(1, expected))) - 2));
  return `${count(Math.round(expected / digits) * digits)} by ${utcShortDay(monthOf(now).end - 1)}`;
}

/** `November`, and how many days of it are left. */
function monthWords(now: number): { name: string; left: string } {
  const name = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(now);
  const days = Math.ceil((monthOf(now).end - now) / 86_400_000);
  return { name, left: `${days} ${days === 1 ? "day" : "days"} left` };
}
