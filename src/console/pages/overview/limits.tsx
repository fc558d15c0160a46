import { h } from "preact";

import { botName } from "../../bots.ts";
import { Bar } from "../../parts/bar.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { count } from "../../words/numbers.ts";
import { type Limit, monthWords, paceOf } from "./pace.ts";

/** Use of each bot's message cap and token budget this month, with a forecast. */
export function Limits({ limits, now }: { limits: readonly Limit[]; now: number }) {
  const { name, left } = monthWords(now);
  const columns: readonly Column<Limit>[] = [
    {
      head: "Bot",
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
      head: "Used",
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
      head: "Forecast",
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
