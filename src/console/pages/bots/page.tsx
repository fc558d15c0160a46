import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { BotSummary } from "../../../domain/operator/bots.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { bots, hasManyBots, isNamed } from "../../bots.ts";
import type { PageProps } from "../../page.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { GuardedButton, WhyOff } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Empty, Read } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/text.tsx";
import { go, withQuery } from "../../router.ts";
import { may } from "../../session.ts";
import { count, counted } from "../../words/numbers.ts";
import { BotPage } from "./bot.tsx";
import { NewBot } from "./new-bot.tsx";

/** Bots: all of them, or one. */
export default function Page({ params, query }: PageProps) {
  const bot = params["bot"];
  if (bot === undefined) return <BotList isNew={query.has("new")} />;
  return <BotPage key={bot} bot={bot} tab={params["tab"]} rest={params["range"]} />;
}

/** All bots with their state and usage. */
function BotList({ isNew }: { isNew: boolean }) {
  const [typed, setTyped] = useState("");
  const from = useResource("bots", async (signal) => {
    const answer = await ask("GET /bots", {}, { signal });
    bots.value = answer.items;
    return answer;
  });
  const off = from.data?.items.filter(({ enabled }) => !enabled).length ?? 0;
  return (
    <Fragment>
      <PageHead
        title="Bots"
        {...(from.data && {
          lead: (
            <Fragment>
              <b>{counted(from.data.items.length, "bot")}.</b>
              {off > 0 && ` ${counted(off, "of them is", "of them are")} off.`}
            </Fragment>
          ),
        })}
      >
        {hasManyBots() && (
          <div class="search" role="search">
            <Icon name="search" />
            <input
              class="input"
              type="search"
              data-search
              aria-label="Search bots"
              placeholder="Search by name or id"
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
            <kbd>/</kbd>
          </div>
        )}
        <span class="grow" />
        <GuardedButton permission="bots.write" kind="primary" onClick={() => go(withQuery({ new: 1 }))}>
          New bot…
        </GuardedButton>
      </PageHead>
      <div class="body">
        <WhyOff permission="bots.write" />
        <Read what="the bots" from={from}>
          {({ items }) =>
            items.length === 0 ? <NoBots /> : <BotTable items={items.filter((bot) => isNamed(bot, typed))} />
          }
        </Read>
      </div>
      {isNew && may("bots.write") && (
        <NewBot onClose={() => go(withQuery({ new: undefined }), { replace: true })} />
      )}
    </Fragment>
  );
}

function NoBots() {
  return (
    <Empty title="No bots yet">
      <p>
        Create one here, or seed it from a file: <code>parley seed my-bot.yaml</code>.
      </p>
    </Empty>
  );
}

function BotTable({ items }: { items: readonly BotSummary[] }) {
  return (
    <Table
      caption="Bots"
      rows={items}
      keyOf={({ id }) => id}
      columns={[
        {
          label: "Bot",
          className: "wide",
          cell: ({ id, name }) => (
            <Fragment>
              <a href={`/bots/${encodeURIComponent(id)}`}>
                <bdi dir="auto">{name}</bdi>
              </a>
              <span class="sub">{id}</span>
            </Fragment>
          ),
        },
        {
          label: "State",
          cell: ({ enabled, version, hasDraft }) => (
            <span class="nowrap">
              {enabled ? (
                <Badge outcome="answered" says={`Live, version ${version}`} />
              ) : (
                <Tag>off, version {version}</Tag>
              )}{" "}
              {hasDraft && <Tag>draft</Tag>}
            </span>
          ),
        },
        {
          label: "Source",
          className: "nowrap",
          cell: ({ origin }) => (origin === "file" ? "a file" : "the console"),
        },
        { label: "Intents", isNumber: true, cell: ({ intents }) => count(intents) },
        {
          label: "Messages this month",
          isNumber: true,
          cell: ({ messages, cap }) => (
            <Fragment>
              {count(messages)}
              {cap !== undefined && <span class="faint"> of {count(cap)}</span>}
            </Fragment>
          ),
        },
        {
          label: "Published",
          isNumber: true,
          cell: ({ updatedAt }) => <Time at={updatedAt} as="ago" />,
        },
      ]}
    />
  );
}
