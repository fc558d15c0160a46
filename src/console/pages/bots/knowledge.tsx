import { Fragment, h } from "preact";
import { useRef, useState } from "preact/hooks";

import type { KnowledgeDocument } from "../../../domain/operator/bots.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { Tag } from "../../parts/badge.tsx";
import { GuardedButton, whyOff } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Empty, Read } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { attempt, say } from "../../toasts.ts";
import { count, counted } from "../../words/numbers.ts";

/** Kinds of files that Parley reads. */
const ACCEPTED = ".md,.markdown,.txt,.html,.htm,.pdf,.docx";

/** The documents used for answers when no intent matches. */
export function Knowledge({ bot }: { bot: string }) {
  const from = useResource(bot, (signal) => ask("GET /bots/:bot/knowledge", { path: { bot } }, { signal }));
  const [leaving, setLeaving] = useState<KnowledgeDocument>();
  return (
    <section class="section" aria-labelledby="h-knowledge">
      <header>
        <h2 id="h-knowledge">Documents</h2>
        <span class="end">
          <Upload bot={bot} onDone={from.reload} />
        </span>
      </header>
      <Read what="the documents" from={from}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No documents yet">
              <p>
                Questions that no intent covers are answered from documents, with a link to the source. Upload
                a handbook or your terms.
              </p>
            </Empty>
          ) : (
            <DocumentTable items={items} onDelete={setLeaving} />
          )
        }
      </Read>
      {leaving && (
        <DeleteDocument
          bot={bot}
          document={leaving}
          onClose={() => setLeaving(undefined)}
          onDone={from.reload}
        />
      )}
    </section>
  );
}

interface DocumentTableProps {
  items: readonly KnowledgeDocument[];
  onDelete: (document: KnowledgeDocument) => void;
}

function DocumentTable({ items, onDelete }: DocumentTableProps) {
  return (
    <Table
      caption="Documents of the bot"
      rows={items}
      keyOf={({ id }) => id}
      columns={[
        {
          label: "Document",
          className: "wide",
          cell: ({ title, source }) => (
            <Fragment>
              <bdi dir="auto">{title}</bdi>
              {title !== source && <span class="sub">{source}</span>}
            </Fragment>
          ),
        },
        {
          label: "Source",
          cell: ({ isUploaded }) => <Tag>{isUploaded ? "uploaded" : "the bot file"}</Tag>,
        },
        { label: "Passages", isNumber: true, cell: ({ passages }) => count(passages) },
        {
          head: <span class="vh">Delete</span>,
          label: "Delete",
          isNumber: true,
          cell: (document) =>
            document.isUploaded ? (
              <GuardedButton permission="bots.write" kind="danger" onClick={() => onDelete(document)}>
                Delete…
              </GuardedButton>
            ) : (
              <span class="faint small">comes with its file</span>
            ),
        },
      ]}
    />
  );
}

function Upload({ bot, onDone }: { bot: string; onDone: () => void }) {
  const [sending, setSending] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const send = async (files: FileList | null) => {
    const added: KnowledgeDocument[] = [];
    for (const file of files ?? []) {
      setSending(file.name);
      const body = new FormData();
      body.set("file", file);
      // The server's reason names the file.
      await attempt("Not added", async () => {
        added.push(await ask("POST /bots/:bot/knowledge", { path: { bot }, body }));
      });
    }
    if (added.length > 0) sayAdded(added);
    setSending(undefined);
    input.current!.value = "";
    onDone();
  };
  const isOff = whyOff("bots.write") !== undefined;
  return (
    <Fragment>
      <input
        ref={input}
        class="vh"
        type="file"
        aria-label="Documents to upload"
        tabIndex={-1}
        accept={ACCEPTED}
        multiple
        disabled={isOff}
        onChange={(event) => void send(event.currentTarget.files)}
      />
      <GuardedButton
        permission="bots.write"
        disabled={sending !== undefined}
        onClick={() => input.current!.click()}
      >
        {sending === undefined ? "Upload…" : `Reading ${sending} …`}
      </GuardedButton>
    </Fragment>
  );
}

/** One message for all, because only a few are shown at a time. */
function sayAdded(added: readonly KnowledgeDocument[]): void {
  const passages = added.reduce((sum, document) => sum + document.passages, 0);
  const titles = added.map(({ title }) => title).join(", ");
  say(`${titles} ${added.length === 1 ? "was" : "were"} added: ${counted(passages, "passage")}.`);
}

interface DeleteDocumentProps {
  bot: string;
  document: KnowledgeDocument;
  onClose: () => void;
  onDone: () => void;
}

function DeleteDocument({ bot, document, onClose, onDone }: DeleteDocumentProps) {
  const erase = async () => {
    await ask("DELETE /bots/:bot/knowledge/:id", { path: { bot, id: document.id } });
    say(`${document.title} is deleted.`);
    onDone();
  };
  return (
    <Confirm
      title="Delete this document?"
      does="Delete"
      fault="Not deleted"
      onConfirm={erase}
      onClose={onClose}
    >
      <bdi dir="auto">{document.title}</bdi> and its {counted(document.passages, "passage")} are deleted from
      the server, and visitors no longer get answers from it. To restore it, upload it again.
    </Confirm>
  );
}
