import { h } from "preact";

import type { Overview, Period } from "../../../domain/operator/overview.ts";
import { botName } from "../../bots.ts";
import { Bar } from "../../parts/badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { change, count } from "../../words/numbers.ts";
import { PERIOD_WORDS } from "./sentences.ts";

type TopIntent = Overview["topIntents"][number];

/** Relative changes from this size on are bold: 50 % more or less. Chosen by hand. */
const NOTABLE = 0.5;

/** The most frequent intents, each linked to its conversations. */
export function Intents({ overview, period }: { overview: Overview; period: Period }) {
  const { topIntents, from } = overview;
  const most = topIntents[0]?.turns ?? 1;
  const columns: readonly Column<TopIntent>[] = [
    {
      label: "Intent",
      cell: ({ intent, bot }) => (
        <a href={`/conversations?${new URLSearchParams({ bot, intent, from: String(from) })}`}>
          <code class="intent">{intent}</code>
        </a>
      ),
    },
    {
      label: "Bot",
      className: "dim nowrap no-phone",
      cell: ({ bot }) => <bdi>{botName(bot)}</bdi>,
    },
    {
      head: <span class="vh">Share as a bar</span>,
      label: "Bar",
      className: "bar-cell no-phone",
      cell: ({ turns }) => <Bar share={turns / most} />,
    },
    { label: "Messages", isNumber: true, cell: ({ turns }) => count(turns) },
    ...(overview.before === undefined ? [] : [CHANGE]),
  ];
  return (
    <section class="section" aria-labelledby="h-intents">
      <header>
        <h2 id="h-intents">Most frequent intents</h2>
        <a class="end" href="/conversations">
          All conversations
        </a>
      </header>
      <Table
        caption={`The most frequent intents of the last ${PERIOD_WORDS[period]}`}
        rows={topIntents}
        columns={columns}
        keyOf={({ bot, intent }) => `${bot} ${intent}`}
      />
    </section>
  );
}

const CHANGE: Column<TopIntent> = {
  label: "Change",
  isNumber: true,
  cell: ({ turns, before = 0 }) => {
    const isNotable = before > 0 && Math.abs(turns / before - 1) >= NOTABLE;
    return <span class={isNotable ? "strong" : "dim"}>{change(before, turns) ?? "new"}</span>;
  },
};
