import { h } from "preact";

import type { HandoffRow } from "../../../domain/operator/handoffs.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { botName } from "../../bots.ts";
import { useKeys } from "../../keys.ts";
import type { PageProps } from "../../page.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Empty, Read } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { drawPieces } from "../../parts/visitor-text.tsx";
import { go, withQuery } from "../../router.ts";
import { useSteadily } from "../../use-steadily.ts";
import { counted } from "../../words/numbers.ts";
import { HandoffPane } from "./handoff-pane.tsx";
import { nameOf } from "./name-of.ts";
import { StateBadge } from "./state-badge.tsx";

const LOOK_EVERY_MS = 5000;

/** Who waits for a person? */
export default function HandoffsPage({ params, query }: PageProps) {
  const { id } = params;
  const isAll = query.has("all");
  const list = useResource(`handoffs ${isAll}`, async (signal) => {
    const { items } = await ask("GET /handoffs", { query: {} }, { signal });
    return isAll ? items : items.filter(({ state }) => state !== "closed");
  });
  useSteadily(list, LOOK_EVERY_MS);
  const rows = list.data ?? [];
  const at = rows.findIndex((row) => row.id === id);
  const open = (row: HandoffRow | undefined) => row !== undefined && go(addressOf(row.id));
  useKeys([
    { key: "j", says: "next", run: () => open(rows[at + 1]) },
    { key: "k", says: "previous", run: () => open(rows[at - 1]) },
  ]);
  return (
    <div class="main fit">
      <PageHead title="Hand-offs" lead={list.data && leadOf(list.data)}>
        <span class="grow" />
        <a class="btn" href={withQuery({ all: isAll ? undefined : 1 })}>
          {isAll ? "Only the open ones" : "Closed ones, too"}
        </a>
      </PageHead>
      <div class="split split-conversations" data-show={id === undefined ? "list" : "detail"}>
        <nav class="pane flush list" aria-label="Hand-offs, newest first" tabIndex={0}>
          <Read what="the hand-offs" from={list}>
            {(items) => (items.length === 0 ? <NoRows /> : <Rows rows={items} openId={id} />)}
          </Read>
        </nav>
        {id === undefined ? (
          <section class="pane no-phone">
            <Empty title="Choose a hand-off">
              <p>
                <kbd>j</kbd> and <kbd>k</kbd> go through the list.
              </p>
            </Empty>
          </section>
        ) : (
          <HandoffPane key={id} id={id} onChanged={list.reload} />
        )}
      </div>
    </div>
  );
}

const addressOf = (id: string) =>
  withQuery({}, { path: `/handoffs/${encodeURIComponent(id)}`, query: new URLSearchParams(location.search) });

function leadOf(rows: readonly HandoffRow[]) {
  const waiting = rows.filter(({ state }) => state === "open").length;
  if (waiting === 0) return <b>Nobody waits for a person.</b>;
  return (
    <b>
      {counted(waiting, "visitor")} {waiting === 1 ? "waits" : "wait"} for a person.
    </b>
  );
}

function Rows({ rows, openId }: { rows: readonly HandoffRow[]; openId: string | undefined }) {
  return (
    <ol class="rows">
      {rows.map((row) => (
        <li key={row.id}>
          <a class="row-link" href={addressOf(row.id)} aria-current={row.id === openId ? "true" : undefined}>
            <span class="top">
              <span class="title" dir="auto">
                {drawPieces(nameOf(row))}
              </span>
              <span class="num faint">
                <Time at={row.createdAt} />
              </span>
            </span>
            <span class="meta">
              <StateBadge handoff={row} /> <bdi>{botName(row.bot)}</bdi>
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

function NoRows() {
  return (
    <Empty title="Nobody waits">
      <p>
        A bot whose file has <code>handoff</code> offers visitors a person; who asks for one appears here.
      </p>
    </Empty>
  );
}
