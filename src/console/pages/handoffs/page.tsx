import { Fragment, h } from "preact";

import type { HandoffRow } from "../../../domain/operator/handoffs.ts";
import { ask } from "../../api/client.ts";
import type { AnswerOf } from "../../api/routes.ts";
import { botName } from "../../bots.ts";
import { useKeys } from "../../keys.ts";
import type { PageProps } from "../../page.ts";
import { PageHead, Segments } from "../../parts/page-head.tsx";
import { Empty, Read } from "../../parts/states.tsx";
import { drawPieces } from "../../parts/text.tsx";
import { go, withQuery } from "../../router.ts";
import { MoreButton, type Pages, usePages, useSteadily } from "../../use-pages.tsx";
import { countWaitingVisitors, failedNotices, waitingVisitors, waitInWords } from "../../waiting-visitors.ts";
import { counted } from "../../words/numbers.ts";
import { HandoffPane } from "./handoff-pane.tsx";
import { nameOf, StateBadge } from "./row.tsx";

const LOOK_EVERY_MS = 5000;

/** The three lists: waiting or with an operator, given back to the bot, and closed. */
const SHOWN = [
  ["waiting", "Waiting"],
  ["back", "Given back"],
  ["closed", "Closed"],
] as const;
type Shown = (typeof SHOWN)[number][0];

const QUERIES = {
  waiting: { waiting: "1" },
  back: { waiting: "0" },
  closed: { state: "closed" },
} as const satisfies Record<Shown, object>;

type HandoffPage = AnswerOf<"GET /handoffs">;

/** A page of a list. Hand-offs with an operator stand before the first page of those that wait. */
async function pageOf(
  shown: Shown,
  cursor: string | undefined,
  extras: { signal?: AbortSignal },
): Promise<HandoffPage> {
  const page = ask("GET /handoffs", { query: { ...QUERIES[shown], cursor } }, extras);
  if (shown !== "waiting" || cursor !== undefined) return page;
  const live = ask("GET /handoffs", { query: { state: "live" } }, extras);
  const [{ items: first }, { items, next }] = await Promise.all([live, page]);
  return { items: [...first, ...items], next };
}

/** A list of hand-offs, page by page. It is refreshed while only its first page is shown. */
function useHandoffs(shown: Shown): Pages<HandoffPage> {
  const list = usePages(`handoffs ${shown}`, "More hand-offs", (cursor, extras) =>
    pageOf(shown, cursor, extras),
  );
  useSteadily(list, LOOK_EVERY_MS, !list.isGrown && !list.isBusy);
  return list;
}

const shownBy = (query: URLSearchParams): Shown =>
  SHOWN.find(([shown]) => shown === query.get("show"))?.[0] ?? "waiting";

/** The list of hand-offs. */
export default function HandoffsPage({ params, query }: PageProps) {
  const { id } = params;
  const shown = shownBy(query);
  const list = useHandoffs(shown);
  const rows = list.data?.items ?? [];
  const at = rows.findIndex((row) => row.id === id);
  const open = (row: HandoffRow | undefined) => row !== undefined && go(addressOf(row.id));
  useKeys([
    { key: "j", says: "next", run: () => open(rows[at + 1]) },
    { key: "k", says: "previous", run: () => open(rows[at - 1]) },
  ]);
  const onChanged = () => {
    list.reload();
    void countWaitingVisitors();
  };
  return (
    <div class="main fit">
      <PageHead title="Hand-offs" lead={<Lead live={rows.filter(({ state }) => state === "live").length} />}>
        <span class="grow" />
        <Segments
          label="Status"
          value={shown}
          options={SHOWN}
          addressOf={(next) => withQuery({ show: next === "waiting" ? undefined : next })}
        />
      </PageHead>
      <div class="split split-handoffs" data-show={id === undefined ? "list" : "detail"}>
        <nav class="pane flush list" aria-label={LIST_NAMES[shown]} tabIndex={0}>
          <Read what="the hand-offs" from={list}>
            {({ items }) => (
              <Fragment>
                {items.length === 0 ? <NoRows shown={shown} /> : <Rows rows={items} openId={id} />}
                <MoreButton pages={list} says="More" />
              </Fragment>
            )}
          </Read>
        </nav>
        {id === undefined ? (
          <section class="pane no-phone">
            <Empty title="Choose a hand-off">
              <p>
                <kbd>j</kbd> and <kbd>k</kbd> move through the list.
              </p>
            </Empty>
          </section>
        ) : (
          <HandoffPane key={id} id={id} onChanged={onChanged} />
        )}
      </div>
    </div>
  );
}

const LIST_NAMES: Readonly<Record<Shown, string>> = {
  waiting: "Hand-offs: those with an operator first, then the longest waiting",
  back: "Hand-offs given back to the bot, newest first",
  closed: "Closed hand-offs, newest first",
};

const addressOf = (id: string) =>
  withQuery({}, { path: `/handoffs/${encodeURIComponent(id)}`, query: new URLSearchParams(location.search) });

/** @param live how many of the listed conversations are with an operator. */
function Lead({ live }: { live: number }) {
  const visitors = waitingVisitors.value;
  if (visitors === undefined) return null;
  const failed = failedNotices.value;
  return (
    <Fragment>
      <b>{visitors === 0 ? "Nobody is waiting for a person" : waitInWords(visitors)}.</b>
      {live > 0 && ` ${counted(live, "conversation is", "conversations are")} with an operator.`}
      {failed > 0 && (
        <Fragment>
          {" "}
          <a href="/deliveries?event=handoff.requested">
            {counted(failed, "notice")} by webhook or e-mail failed
          </a>
          .
        </Fragment>
      )}
    </Fragment>
  );
}

function Rows({ rows, openId }: { rows: readonly HandoffRow[]; openId: string | undefined }) {
  return (
    <ol class="rows">
      {rows.map((row) => (
        <li key={row.id}>
          <a class="row-link" href={addressOf(row.id)} aria-current={row.id === openId ? "true" : undefined}>
            <span class="title" dir="auto">
              {drawPieces(nameOf(row))}
            </span>
            <span class="meta">
              <StateBadge handoff={row} />
              <bdi>{botName(row.bot)}</bdi>
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

function NoRows({ shown }: { shown: Shown }) {
  if (shown !== "waiting") {
    return (
      <Empty title={shown === "back" ? "No hand-off was given back" : "No hand-off is closed"}>
        <p>
          {shown === "back"
            ? "A hand-off that is given back to the bot stays here until somebody closes it."
            : "A closed hand-off stays here until its conversation is erased."}
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="Nobody is waiting">
      <p>
        A bot with a hand-off, which its tab Hand-off switches on, offers visitors a person. Visitors who ask
        for one appear here.
      </p>
    </Empty>
  );
}
