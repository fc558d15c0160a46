import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { NewToken, TokenRow } from "../../../domain/operator/server.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { botName, botNames } from "../../bots.ts";
import { useKeys } from "../../keys.ts";
import type { PageProps } from "../../page.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { GuardedButton, WhyOff, whyOff } from "../../parts/button.tsx";
import { ShownOnce } from "../../parts/copyable.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Empty, Read } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time, VisitorText } from "../../parts/text.tsx";
import { go, withQuery } from "../../router.ts";
import { say } from "../../toasts.ts";
import { counted } from "../../words/numbers.ts";
import { NewTokenDialog } from "./new-token.tsx";

/** The embed tokens. */
export default function TokensPage({ query }: PageProps) {
  const tokens = useResource("tokens", async (signal) => (await ask("GET /tokens", {}, { signal })).items);
  const [made, setMade] = useState<NewToken>();
  const [revoking, setRevoking] = useState<TokenRow>();
  const isMaking = query.has("new") && whyOff("tokens.write") === undefined;
  const open = () => go(withQuery({ new: 1 }));
  const close = () => go(withQuery({ new: undefined }), { replace: true });
  useKeys([{ key: "n", says: "new token", run: () => whyOff("tokens.write") === undefined && open() }]);
  const revoke = async ({ id }: TokenRow) => {
    await ask("POST /tokens/:id/revoke", { path: { id } });
    say("The token is revoked. Widgets that use it are rejected from now on.");
    tokens.reload();
  };
  return (
    <Fragment>
      <PageHead title="Tokens" lead={tokens.data && leadOf(tokens.data)}>
        <span class="grow" />
        <GuardedButton permission="tokens.write" kind="primary" keyName="n" onClick={open}>
          New token
        </GuardedButton>
      </PageHead>
      <div class="body">
        <WhyOff permission="tokens.write" />
        {made !== undefined && (
          <ShownOnce
            texts={[
              ["Token", made.token],
              ["HTML snippet, for anywhere in the page", made.snippet],
            ]}
            onClose={() => setMade(undefined)}
          >
            Only a hash of the token is stored. If you lose it, create a new one.
          </ShownOnce>
        )}
        <Read what="the tokens" from={tokens}>
          {(rows) =>
            rows.length === 0 ? <NoTokens /> : <Tokens rows={rows} made={made} onRevoke={setRevoking} />
          }
        </Read>
      </div>
      {isMaking && (
        <NewTokenDialog
          onClose={close}
          onMade={(token) => {
            setMade(token);
            tokens.reload();
            close();
          }}
        />
      )}
      {revoking !== undefined && (
        <Confirm
          title="Revoke this token?"
          does="Revoke"
          fault="The token was not revoked"
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        >
          Pages that use <code>{revoking.id}</code> lose access to <bdi>{botNames(revoking.bots)}</bdi> within
          a second. A revoked token cannot be restored; create a new one instead.
        </Confirm>
      )}
    </Fragment>
  );
}

const isLive = ({ revokedAt, expiresAt = Infinity }: TokenRow) =>
  revokedAt === undefined && expiresAt > Date.now();

function leadOf(rows: readonly TokenRow[]) {
  const live = rows.filter(isLive);
  const bots = new Set(live.flatMap((row) => row.bots));
  if (live.length === 0) return "No token is valid, so no widget can send messages.";
  return (
    <Fragment>
      <b>
        {counted(live.length, "token")} {live.length === 1 ? "lets" : "let"} widgets call{" "}
        {counted(bots.size, "bot")}.
      </b>{" "}
      A token is visible in the page's source. It only allows chatting.
    </Fragment>
  );
}

interface TokensProps {
  rows: readonly TokenRow[];
  made: NewToken | undefined;
  onRevoke: (row: TokenRow) => void;
}

function Tokens({ rows, made, onRevoke }: TokensProps) {
  return (
    <Table
      caption="Embed tokens"
      rows={rows.toSorted((one, other) => other.createdAt - one.createdAt)}
      columns={[...COLUMNS, lastUsedColumn(made), CREATED, revokeColumn(onRevoke)]}
      keyOf={({ id }) => id}
      isOn={({ id }) => id === made?.id}
    />
  );
}

const COLUMNS: readonly Column<TokenRow>[] = [
  {
    label: "Token",
    cell: ({ id, label }) => (
      <span>
        {label === undefined ? <span class="dim">without a label</span> : <VisitorText text={label} />}
        <span class="sub">
          <code>{id}</code>
        </span>
      </span>
    ),
  },
  {
    label: "Bots",
    cell: ({ bots }) => <BotsOf bots={bots} />,
  },
  { label: "State", cell: (row) => <State row={row} /> },
];

const lastUsedColumn = (made: NewToken | undefined): Column<TokenRow> => ({
  label: "Last used",
  cell: ({ id, lastUsedAt }) =>
    lastUsedAt === undefined ? (
      <span class="faint">{id === made?.id ? "not yet" : "not since the server started"}</span>
    ) : (
      <Time at={lastUsedAt} as="ago" />
    ),
});

const CREATED: Column<TokenRow> = {
  label: "Created",
  cell: ({ createdAt }) => <Time at={createdAt} as="ago" />,
};

/** Names a few of many bots until the operator asks for all. */
function BotsOf({ bots }: { bots: readonly string[] }) {
  const all = bots.map(botName).join(", ");
  const few = botNames(bots);
  if (few === all) return <bdi>{all}</bdi>;
  return (
    <details class="folded">
      <summary>
        <bdi>{few}</bdi>
      </summary>
      <bdi>{all}</bdi>
    </details>
  );
}

function State({ row: { revokedAt, expiresAt } }: { row: TokenRow }) {
  if (revokedAt !== undefined) {
    return (
      <span>
        <Badge outcome="refused" says="Revoked" /> <Time at={revokedAt} as="ago" />
      </span>
    );
  }
  if (expiresAt === undefined) return <Badge outcome="answered" says="Valid" />;
  return expiresAt <= Date.now() ? (
    <Tag>Expired</Tag>
  ) : (
    <span>
      <Badge outcome="answered" says="Valid" />{" "}
      <span class="small dim">
        expires <Time at={expiresAt} as="ago" />
      </span>
    </span>
  );
}

const revokeColumn = (onRevoke: (row: TokenRow) => void): Column<TokenRow> => ({
  head: <span class="vh">Actions</span>,
  label: "Actions",
  isNumber: true,
  cell: (row) =>
    isLive(row) && (
      <GuardedButton permission="tokens.write" kind="danger" onClick={() => onRevoke(row)}>
        Revoke…
      </GuardedButton>
    ),
});

function NoTokens() {
  return (
    <Empty title="No token yet">
      <p>To put a bot on a page, create a token and copy its HTML snippet.</p>
    </Empty>
  );
}
