import { Fragment, h } from "preact";
import { useRef, useState } from "preact/hooks";

import type { ConversationDetails, ConversationPage } from "../../../domain/operator/conversations.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { useKeys } from "../../keys.ts";
import type { PageProps } from "../../page.ts";
import { Button } from "../../parts/button.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Empty, Read } from "../../parts/states.tsx";
import { go, withQuery } from "../../router.ts";
import { MoreButton } from "../../use-pages.tsx";
import { counted } from "../../words/numbers.ts";
import { type Filters, filtersOf, isFiltered } from "./filters.ts";
import { ExportLink, FilterLine, SearchField } from "./head.tsx";
import { ReceiptPane } from "./receipt-pane.tsx";
import { addressOf, Row } from "./row.tsx";
import { Transcript } from "./transcript.tsx";
import { type ConversationList, MAX_LIVE_ROWS, useConversationList } from "./use-list.ts";

const AT_TOP_PX = 8;

/** Conversations with the receipt of each message. */
export default function ConversationsPage({ params, query }: PageProps) {
  const { id } = params;
  const filters = filtersOf(query);
  const [isLive, setIsLive] = useState(true);
  const [round, setRound] = useState(0);
  const pane = useRef<HTMLElement>(null);
  const isAtTop = () => scrollY < AT_TOP_PX && (pane.current?.scrollTop ?? 0) < AT_TOP_PX;
  const list = useConversationList(filters, { isOn: isLive, isAtTop }, (ids) => {
    if (id !== undefined && ids.includes(id)) setRound((before) => before + 1);
  });
  useListKeys(list, id, () => setIsLive(!isLive));
  return (
    <div class="main fit">
      <PageHead title="Conversations">
        <SearchField filters={filters} />
        <button class="btn" type="button" aria-pressed={isLive} onClick={() => setIsLive(!isLive)}>
          <span class="live">Live</span> <kbd>L</kbd>
        </button>
        <ExportLink filters={filters} />
      </PageHead>
      <FilterLine filters={filters} />
      <div class="split split-conversations" data-show={id === undefined ? "list" : "detail"}>
        <nav class="pane flush list" aria-label="Conversations, newest first" tabIndex={0} ref={pane}>
          <Waiting list={list} />
          <Read what="the conversations" from={list}>
            {(page) => <Rows page={page} list={list} filters={filters} openId={id} />}
          </Read>
        </nav>
        {id === undefined ? (
          <Unchosen isEmpty={list.data?.items.length === 0} />
        ) : (
          <Opened
            key={id}
            id={id}
            round={round}
            turn={query.get("turn") ?? ""}
            onDeleted={() => {
              list.remove(id);
              go(withQuery({ turn: undefined }, { path: "/conversations", query }));
            }}
          />
        )}
      </div>
    </div>
  );
}

/** `j` and `k` move through the list, `Escape` returns to it. */
function useListKeys(list: ConversationList, openId: string | undefined, toggleLive: () => void): void {
  const rows = list.data?.items ?? [];
  const at = rows.findIndex(({ id }) => id === openId);
  const open = (next: number) => {
    const row = rows[next];
    if (row === undefined) return false;
    go(addressOf(row.id), { replace: openId !== undefined });
    document.querySelector(`[data-row="${CSS.escape(row.id)}"]`)?.scrollIntoView({ block: "nearest" });
    return true;
  };
  useKeys([
    { key: "j", says: "next", run: () => open(at + 1) },
    { key: "k", says: "previous", run: () => at > 0 && open(at - 1) },
    {
      key: "Escape",
      says: "back to the list",
      run: () =>
        openId !== undefined &&
        document.querySelector("dialog[open]") === null &&
        go(
          withQuery(
            { turn: undefined },
            { path: "/conversations", query: new URLSearchParams(location.search) },
          ),
        ),
    },
    { key: "l", says: "live", run: toggleLive },
  ]);
}

function Waiting({ list: { waiting, showWaiting } }: { list: ConversationList }) {
  return (
    <div class="newer" role="status" hidden={waiting.length === 0}>
      <Button onClick={showWaiting}>
        {waiting.length < MAX_LIVE_ROWS ? waiting.length : `${MAX_LIVE_ROWS} or more`} new
      </Button>
    </div>
  );
}

interface RowsProps {
  page: ConversationPage;
  filters: Filters;
  openId: string | undefined;
  list: ConversationList;
}

function Rows({ page, list, filters, openId }: RowsProps) {
  if (page.items.length === 0 && page.next === null) return <NoRows filters={filters} />;
  return (
    <Fragment>
      {page.indexed !== undefined && (
        <p class="row-link small dim">
          {Math.floor(page.indexed * 100)} % of the messages are indexed. The others are found, too, but
          searching takes longer.
        </p>
      )}
      <ol class="rows">
        {page.items.map((row) => (
          <Row key={row.id} row={row} isOpen={row.id === openId} />
        ))}
      </ol>
      <div class="row-link">
        {page.next === null ? (
          <span class="small faint">{counted(page.items.length, "conversation")}; there are no more.</span>
        ) : (
          <MoreButton pages={list} says="Older" />
        )}
      </div>
    </Fragment>
  );
}

function NoRows({ filters }: { filters: Filters }) {
  if (!isFiltered(filters)) {
    return (
      <Empty title="No messages yet">
        <p>The first message appears here within a few seconds.</p>
        <div class="actions">
          <a class="btn" href="/tokens?new=1">
            Get the HTML snippet
          </a>
        </div>
      </Empty>
    );
  }
  return (
    <Empty title="No matches">
      <p>No conversation matches all of these filters.</p>
      <div class="actions">
        <a class="btn" href="/conversations">
          Remove all filters
        </a>
      </div>
    </Empty>
  );
}

function Unchosen({ isEmpty }: { isEmpty: boolean }) {
  if (isEmpty) return <section class="pane no-phone" />;
  return (
    <section class="pane no-phone">
      <Empty title="Choose a conversation">
        <p>
          <kbd>j</kbd> and <kbd>k</kbd> move through the list.
        </p>
      </Empty>
    </section>
  );
}

interface OpenedProps {
  id: string;
  /** A new number makes the conversation be read again. */
  round: number;
  /** Number of the turn from 1, or its request id; any other value selects the turn that needs attention most. */
  turn: string;
  onDeleted: () => void;
}

function Opened({ id, round, turn, onDeleted }: OpenedProps) {
  const conversation = useResource(`${id} ${round}`, (signal) =>
    ask("GET /conversations/:id", { path: { id } }, { signal }),
  );
  const { data } = conversation;
  if (data === undefined) {
    return (
      <section class="pane">
        <Read what="the conversation" from={conversation}>
          {() => null}
        </Read>
      </section>
    );
  }
  const chosen = chosenTurn(data, turn);
  return (
    <Fragment>
      <Transcript conversation={data} chosen={chosen} onDeleted={onDeleted} />
      {data.turns.length > 0 && <ReceiptPane conversation={data} chosen={chosen} />}
    </Fragment>
  );
}

/** The turn in the address; else the last one that was not answered or did not help; else the last one. */
function chosenTurn({ turns }: ConversationDetails, asked: string): number {
  const named = turns.findIndex(({ requestId }, at) => requestId === asked || String(at + 1) === asked);
  if (named >= 0) return named + 1;
  const exception = turns.findLastIndex(
    ({ outcome, feedback }) => outcome !== "answered" || feedback?.rating === "down",
  );
  return exception >= 0 ? exception + 1 : turns.length;
}
