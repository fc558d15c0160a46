import { Fragment, h } from "preact";

import type { DeliveryRow } from "../../../domain/operator/handoffs.ts";
import { botName } from "../../bots.ts";
import { Tag } from "../../parts/badge.tsx";
import { GuardedButton } from "../../parts/button.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time, VisitorText } from "../../parts/text.tsx";
import { count } from "../../words/numbers.ts";
import { zone } from "../../words/times.ts";

interface DeliveryTableProps {
  rows: readonly DeliveryRow[];
  onSend: (row: DeliveryRow) => void;
}

/** The deliveries with event, receiver and state. */
export function DeliveryTable({ rows, onSend }: DeliveryTableProps) {
  return (
    <Table
      caption="Deliveries, newest first"
      rows={rows}
      columns={[...COLUMNS, actions(onSend)]}
      keyOf={({ id }) => id}
    />
  );
}

const COLUMNS: readonly Column<DeliveryRow>[] = [
  {
    head: `Time, ${zone()}`,
    label: "Time",
    className: "top tn",
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    label: "Event",
    className: "top",
    cell: ({ event, bot, conversationId }) => (
      <span>
        {eventInWords(event)}
        <span class="sub">
          <bdi>{botName(bot)}</bdi>
          {conversationId && (
            <Fragment>
              {" "}
              · <a href={`/conversations/${encodeURIComponent(conversationId)}`}>Conversation</a>
            </Fragment>
          )}
        </span>
      </span>
    ),
  },
  {
    label: "To",
    className: "top",
    cell: ({ channel, target }) => (
      <span>
        <bdi>{target}</bdi>
        <span class="sub">{CHANNEL_WORDS[channel]}</span>
      </span>
    ),
  },
  { label: "State", className: "top", cell: (row) => <State row={row} /> },
  {
    label: "Attempts",
    isNumber: true,
    className: "top",
    cell: ({ attempts }) => count(attempts),
  },
  {
    label: "Last error",
    className: "top",
    cell: ({ error }) => (error === undefined ? <span class="faint">–</span> : <VisitorText text={error} />),
  },
];

function actions(onSend: (row: DeliveryRow) => void): Column<DeliveryRow> {
  return {
    head: <span class="vh">Actions</span>,
    label: "Actions",
    isNumber: true,
    className: "top",
    cell: (row) => (
      <GuardedButton permission="handoffs.answer" kind="quiet" onClick={() => onSend(row)}>
        {row.state === "waiting" ? "Send now" : "Send again"}
      </GuardedButton>
    ),
  };
}

/** The state, with the time of the next attempt or of the last one. */
function State({ row }: { row: DeliveryRow }) {
  const { state } = row;
  return (
    <span>
      {state === "given-up" ? <b class="worse">{STATE_WORDS[state]}</b> : <Tag>{STATE_WORDS[state]}</Tag>}
      <When row={row} />
    </span>
  );
}

function When({ row: { state, attempts, error, nextAt, endedAt } }: { row: DeliveryRow }) {
  const at = nextAt ?? endedAt;
  if (at === undefined) return null;
  if (nextAt === undefined) {
    return (
      <span class="sub">
        <Time at={at} as="ago" />
      </span>
    );
  }
  // Without an error no attempt has failed, so one is running.
  if (state === "waiting" && attempts > 0 && error === undefined) return <span class="sub">sending now</span>;
  return <span class="sub">next attempt {nextAt <= Date.now() ? "now" : <Time at={nextAt} as="ago" />}</span>;
}

/** Events in words. */
export const EVENT_WORDS: Readonly<Record<string, string>> = {
  "handoff.requested": "A visitor asked for a person",
  "feedback.given": "An answer was rated",
  "turn.refused": "A message was refused",
  "turn.unmatched": "A message was not understood",
  "action.done": "An action was completed",
  "action.failed": "An action was not completed",
  "cap.near": "A monthly cap is nearly used up",
};

/** An event in words; an unknown event is shown by its name. */
const eventInWords = (event: string): string => EVENT_WORDS[event] ?? event;

export const STATE_WORDS: Readonly<Record<DeliveryRow["state"], string>> = {
  waiting: "Waiting",
  delivered: "Delivered",
  "given-up": "Failed",
};

const CHANNEL_WORDS: Readonly<Record<DeliveryRow["channel"], string>> = {
  webhook: "Webhook",
  mail: "E-mail",
};
