import { Fragment, h } from "preact";

import type { ChangeKind } from "../../../domain/change.ts";
import type { AuditRow } from "../../../domain/operator/server.ts";
import { ask } from "../../api/client.ts";
import { botName, botNames } from "../../bots.ts";
import type { PageProps } from "../../page.ts";
import { BotSelect } from "../../parts/filters.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Empty, Read } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { VisitorText } from "../../parts/visitor-text.tsx";
import { go, withQuery } from "../../router.ts";
import { MoreButton, usePages } from "../../use-pages.tsx";
import { zone } from "../../words/times.ts";
import { Changes } from "./changes.tsx";
import { KIND_WORDS } from "./kinds.ts";

/** The audit: all changes with their authors. */
export default function AuditPage({ query }: PageProps) {
  const bot = query.get("bot") ?? "";
  const audit = usePages(bot, "Older changes", (before, extras) =>
    ask("GET /audit", { query: { bot, before } }, extras),
  );
  return (
    <Fragment>
      <PageHead
        title="Audit"
        lead="Every change to bots, tokens, conversations and this server, with its author and the earlier value."
      >
        <span class="grow" />
        <BotSelect value={bot} onChange={(next) => go(withQuery({ bot: next }))} />
      </PageHead>
      <div class="body">
        <Read what="the audit" from={audit}>
          {({ items }) => (
            <Fragment>
              {items.length === 0 ? <NothingChanged /> : <Rows rows={items} />}
              <MoreButton pages={audit} says="Older" />
            </Fragment>
          )}
        </Read>
      </div>
    </Fragment>
  );
}

function Rows({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <Table
      caption="Changes, newest first"
      rows={rows}
      columns={COLUMNS}
      keyOf={(row) => `${row.at} ${row.kind} ${row.subject}`}
    />
  );
}

const COLUMNS: readonly Column<AuditRow>[] = [
  {
    head: `Time, ${zone()}`,
    label: "Time",
    className: "top tn",
    cell: ({ at }) => <Time at={at} />,
  },
  {
    head: "By",
    label: "By",
    className: "top nowrap",
    cell: ({ by }) => (
      <span>
        <VisitorText text={by.name} />
        <span class="sub">
          {by.kind}
          {by.command !== undefined && (
            <Fragment>
              {" "}
              · <code>{by.command}</code>
            </Fragment>
          )}
        </span>
      </span>
    ),
  },
  {
    head: "Change",
    label: "Change",
    className: "top wide",
    cell: ({ kind, subject, bots, fields, omittedFields = 0 }) => (
      <span>
        {KIND_WORDS[kind as ChangeKind] ?? kind}{" "}
        <b>{kind.startsWith("bot.") ? botName(subject) : <VisitorText text={subject} />}</b>
        {!kind.startsWith("bot.") && bots.length > 0 && <bdi class="dim"> for {botNames(bots)}</bdi>}
        <Changes fields={fields} omitted={omittedFields} />
      </span>
    ),
  },
];

function NothingChanged() {
  return (
    <Empty title="No changes">
      <p>The audit has no change of this kind.</p>
    </Empty>
  );
}
