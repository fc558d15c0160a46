import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { DeliveryRow } from "../../../domain/operator/handoffs.ts";
import { ask } from "../../api/client.ts";
import type { InputOf } from "../../api/routes.ts";
import type { PageProps } from "../../page.ts";
import { WhyOff } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Select } from "../../parts/fields.tsx";
import { BotSelect, Chip, PageHead } from "../../parts/page-head.tsx";
import { Empty, Read } from "../../parts/states.tsx";
import { go, withQuery } from "../../router.ts";
import { say } from "../../toasts.ts";
import { useAction } from "../../use-action.ts";
import { MoreButton, usePages, useSteadily } from "../../use-pages.tsx";
import { DeliveryTable, EVENT_WORDS, STATE_WORDS } from "./table.tsx";

const LOOK_EVERY_MS = 5000;

/** Webhooks and e-mails to the team, and whether they arrived. */
export default function DeliveriesPage({ query }: PageProps) {
  const filters = filtersOf(query);
  const list = useDeliveries(filters);
  const [asking, setAsking] = useState<DeliveryRow>();
  const send = async ({ id, target }: DeliveryRow) => {
    try {
      await ask("POST /deliveries/:id/resend", { path: { id } });
      say(`It will be sent to ${target} again.`);
    } finally {
      list.reload();
    }
  };
  const sending = useAction(send, "Not sent again");
  return (
    <Fragment>
      <PageHead
        title="Deliveries"
        lead="Webhooks and e-mails that were sent to your team, or are waiting to be sent. Kept for 30 days."
      >
        <span class="grow" />
        <FilterFields filters={filters} />
      </PageHead>
      <div class="body">
        <WhyOff permission="handoffs.answer" />
        <Read what="the deliveries" from={list}>
          {({ items }) => (
            <Fragment>
              {items.length === 0 ? (
                <NoRows isFiltered={isFiltered(filters)} />
              ) : (
                // Repeating a delivery that arrived asks first, because the receiver gets it twice.
                <DeliveryTable
                  rows={items}
                  onSend={(row) => (row.state === "delivered" ? setAsking(row) : sending.run(row))}
                />
              )}
              <MoreButton pages={list} says="Older" />
            </Fragment>
          )}
        </Read>
      </div>
      {asking !== undefined && (
        <SendAgainDialog delivery={asking} onClose={() => setAsking(undefined)} onSend={() => send(asking)} />
      )}
    </Fragment>
  );
}

/** A filtered list, page by page. It is refreshed while only its first page is shown. */
function useDeliveries(filters: Filters) {
  const list = usePages(`deliveries ${JSON.stringify(filters)}`, "Older deliveries", (cursor, extras) =>
    ask("GET /deliveries", { query: { ...queryOf(filters), cursor } }, extras),
  );
  useSteadily(list, LOOK_EVERY_MS, !list.isGrown && !list.isBusy);
  return list;
}

function FilterFields({ filters }: { filters: Filters }) {
  const set = (name: keyof Filters) => (value: string) => go(withQuery({ [name]: value }));
  return (
    <div class="filters few" role="group" aria-label="Filters">
      {filters.conversation !== "" && (
        <Chip on onClick={() => set("conversation")("")}>
          One conversation <span aria-hidden="true">×</span>
          <span class="vh">remove the filter</span>
        </Chip>
      )}
      <BotSelect value={filters.bot} onChange={set("bot")} />
      <Select
        label="Event"
        value={filters.event}
        options={[["", "All events"], ...Object.entries(EVENT_WORDS)]}
        onChange={set("event")}
      />
      <Select
        label="State"
        value={filters.state}
        options={[["", "All states"], ...Object.entries(STATE_WORDS)]}
        onChange={set("state")}
      />
    </div>
  );
}

function NoRows({ isFiltered: isNarrowed }: { isFiltered: boolean }) {
  if (isNarrowed) {
    return (
      <Empty title="No matches">
        <p>No delivery of the last 30 days matches all of these filters.</p>
        <div class="actions">
          <a class="btn" href="/deliveries">
            Remove all filters
          </a>
        </div>
      </Empty>
    );
  }
  return (
    <Empty title="No deliveries yet">
      <p>
        Webhooks are named in the server's configuration: <code>webhooks</code> in its file, or{" "}
        <code>PARLEY_WEBHOOKS</code>, each with its <code>url</code> and <code>secretEnv</code>. E-mails need{" "}
        <code>PARLEY_SMTP</code> and <code>mailFrom</code>, and <code>handoff.email</code> in the bot file.
      </p>
      <p>Deliveries appear here from then on.</p>
    </Empty>
  );
}

interface SendAgainProps {
  delivery: DeliveryRow;
  onClose: () => void;
  onSend: () => Promise<void>;
}

/** Asks before sending again what has already arrived, because it cannot be recalled. */
function SendAgainDialog({ delivery: { channel, target, id }, onClose, onSend }: SendAgainProps) {
  return (
    <Confirm
      title="Send it a second time?"
      does="Send it again"
      kind="primary"
      fault="Not sent again"
      onConfirm={onSend}
      onClose={onClose}
    >
      <bdi>{target}</bdi> already received it.{" "}
      {channel === "webhook" ? (
        <span>
          The second copy has the same <code>webhook-id</code>, <code>{id}</code>, so that a receiver can
          recognise it.
        </span>
      ) : (
        "The mailbox gets the e-mail twice."
      )}
    </Confirm>
  );
}

/** The filters that stand in the address; "": all. */
interface Filters {
  readonly bot: string;
  readonly state: string;
  readonly event: string;
  readonly conversation: string;
}

type DeliveryQuery = InputOf<"GET /deliveries">["query"];

function filtersOf(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name) ?? "";
  const known = (name: string, words: Readonly<Record<string, string>>) =>
    Object.hasOwn(words, text(name)) ? text(name) : "";
  return {
    bot: text("bot"),
    state: known("state", STATE_WORDS),
    event: known("event", EVENT_WORDS),
    conversation: text("conversation"),
  };
}

/** Whether anything is left out. */
const isFiltered = (filters: Filters): boolean => Object.values(filters).some((value) => value !== "");

/** The filters as the API takes them. */
function queryOf({ bot, state, event, conversation }: Filters): DeliveryQuery {
  return {
    ...(bot !== "" && { bot }),
    ...(state !== "" && { state: state as DeliveryRow["state"] }),
    ...(event !== "" && { event: event as DeliveryRow["event"] }),
    ...(conversation !== "" && { conversation }),
  };
}
