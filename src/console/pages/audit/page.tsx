import { Fragment, h } from "preact";

import type { ChangeKind, FieldChange } from "../../../domain/change.ts";
import type { AuditRow } from "../../../domain/operator/server.ts";
import { ask } from "../../api/client.ts";
import { botName, botNames } from "../../bots.ts";
import type { PageProps } from "../../page.ts";
import { BotSelect, PageHead } from "../../parts/page-head.tsx";
import { Empty, Read } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time, VisitorText } from "../../parts/text.tsx";
import { go, withQuery } from "../../router.ts";
import { MoreButton, usePages } from "../../use-pages.tsx";
import { counted } from "../../words/numbers.ts";
import { zone } from "../../words/times.ts";

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
    label: "By",
    className: "top nowrap",
    cell: ({ by }) => (
      <span>
        <VisitorText text={by.name} />
        <span class="sub">
          {isByApi(by) ? <span title={by.command}>{by.kind}</span> : by.kind}
          {by.command !== undefined && !isByApi(by) && (
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
    label: "Change",
    className: "top wide",
    cell: ({ kind, subject, bots, fields, omittedFields = 0 }) => (
      <span>
        {restoredFrom(fields) ?? wordsOf(kind, subject)}{" "}
        <b>{isOfBot(kind) ? botName(subject) : <VisitorText text={subject} />}</b>
        {!isOfBot(kind) && bots.length > 0 && (
          <bdi class="dim">
            {" "}
            {kind.startsWith("conversations.") ? "of" : "for"} {botNames(bots)}
          </bdi>
        )}
        <Changes fields={fields} omitted={omittedFields} />
      </span>
    ),
  },
];

/** Whether the subject is a bot. */
const isOfBot = (kind: string) => kind.startsWith("bot.") || kind === "knowledge.changed";

function wordsOf(kind: string, subject: string): string {
  // The subject of a deletion is an id, or as `3 conversations`.
  if (kind === "conversations.deleted" && !subject.includes(" ")) return "erased conversation";
  return KIND_WORDS[kind as ChangeKind] ?? kind;
}

/** By the operator API, whose routes mean nothing to most operators. */
const isByApi = ({ kind }: AuditRow["by"]) => kind === "operator" || kind === "key";

function restoredFrom(fields: readonly FieldChange[]): string | undefined {
  const restored = fields.find(({ field, after }) => field === "restoredFrom" && after !== undefined);
  return restored && `restored version ${String(restored.after)} of the bot`;
}

function NothingChanged() {
  return (
    <Empty title="No changes">
      <p>The audit has no change of this kind.</p>
    </Empty>
  );
}

/** A change of more fields than this is folded. */
const OPEN_UP_TO = 3;

/** The earlier and the new value of each changed field. */
function Changes({ fields, omitted }: { fields: readonly FieldChange[]; omitted: number }) {
  if (fields.length === 0) return null;
  const list = (
    <dl class="facts">
      {fields.map((change) => (
        <Field key={change.field} change={change} />
      ))}
    </dl>
  );
  if (fields.length + omitted <= OPEN_UP_TO) return <div class="small">{list}</div>;
  return (
    <details class="small">
      <summary class="dim">{counted(fields.length + omitted, "field")}</summary>
      {list}
      {omitted > 0 && <p class="faint">and {counted(omitted, "field")} more, too long to list</p>}
    </details>
  );
}

function Field({ change }: { change: FieldChange }) {
  const { field, before, after, removed, added, isCut } = change;
  return [
    <dt key="name">
      <code>{field}</code>
    </dt>,
    <dd key="value">
      {"before" in change && <Value sign="−" value={before} />}
      {"after" in change && <Value sign="+" value={after} />}
      {removed?.map((value, at) => (
        <Value key={`r${at}`} sign="−" value={value} />
      ))}
      {added?.map((value, at) => (
        <Value key={`a${at}`} sign="+" value={value} />
      ))}
      {isCut === true && <span class="faint">shortened</span>}
    </dd>,
  ];
}

function Value({ sign, value }: { sign: "−" | "+"; value: unknown }) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (
    <div class={sign === "+" ? "added" : "removed"}>
      <span class="faint">{sign} </span>
      <VisitorText text={text ?? ""} />
    </div>
  );
}

/** The words for each kind of change, followed by the name of what was changed. */
const KIND_WORDS: Readonly<Record<ChangeKind, string>> = {
  "bot.created": "created the bot",
  "bot.updated": "changed the bot",
  "bot.enabled": "turned on",
  "bot.disabled": "turned off",
  "bot.deleted": "deleted the bot",
  "bot.pruned": "deleted (removed from the files) the bot",
  "token.issued": "created the token",
  "token.revoked": "revoked the token",
  "handoff.taken": "took over",
  "handoff.released": "gave back",
  "handoff.closed": "closed",
  "usage.tokens-reset": "reset the token count of",
  "conversations.deleted": "erased",
  "conversations.expired": "deleted by retention",
  "knowledge.changed": "changed the documents of",
  "clock.confirmed": "confirmed the clock of",
  "database.backed-up": "backed up to",
  "database.restored": "restored from",
  "database.copied": "copied the database to",
  "operator.added": "added the operator",
  "operator.removed": "removed the operator",
  "operator.role-changed": "changed the role of",
  "operator.link-issued": "created a sign-in link for",
  "operator.password-set": "set the password of",
  "operator.signed-in": "signed in as",
  "key.issued": "created the key",
  "key.removed": "deleted the key",
  "server.settings": "changed the settings of the",
};
