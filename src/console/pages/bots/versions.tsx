import { Fragment, h } from "preact";

import type { BotVersionSummary } from "../../../domain/operator/bots.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { DiffView } from "../../diff/diff-view.tsx";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { wayBack } from "../../draft/open-drafts.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { GuardedButton } from "../../parts/button.tsx";
import { Read } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { Time, VisitorText } from "../../parts/text.tsx";
import { go } from "../../router.ts";
import { say } from "../../toasts.ts";
import { useAction } from "../../use-action.ts";
import { MoreButton, usePages } from "../../use-pages.tsx";

const addressOfRange = (bot: string, from: number, to: number) =>
  `/bots/${encodeURIComponent(bot)}/versions/${from}..${to}`;

/** All versions with their authors and changes. `range`: two versions with dots in between. */
export function Versions({ editor, range }: { editor: BotDraftEditor; range: string | undefined }) {
  const { bot } = editor;
  const live = editor.published.value!.version;
  const pages = usePages(`${bot} ${live}`, "Older versions", (cursor, extras) =>
    ask("GET /bots/:bot/versions", { path: { bot }, query: { cursor } }, extras),
  );
  return (
    <section class="section" aria-labelledby="h-versions">
      <header>
        <h2 id="h-versions">Versions</h2>
        <span class="end faint">every version is kept, so that receipts can be replayed</span>
      </header>
      <Read what="the versions" from={pages}>
        {({ items }) => (
          <Fragment>
            <VersionTable editor={editor} versions={items} live={live} range={range} />
            <MoreButton pages={pages} says="Older" />
          </Fragment>
        )}
      </Read>
      <Difference editor={editor} range={range} live={live} />
    </section>
  );
}

interface VersionTableProps {
  editor: BotDraftEditor;
  versions: readonly BotVersionSummary[];
  live: number;
  range: string | undefined;
}

function VersionTable({ editor, versions, live, range }: VersionTableProps) {
  const restoring = useAction((version: number) => bringBack(editor, version), "Not restored");
  const shown = Number(range?.split("..")[1] ?? live);
  return (
    <Table
      caption="Versions, newest first"
      rows={versions}
      keyOf={({ version }) => String(version)}
      isOn={({ version }) => version === shown}
      columns={[
        {
          head: "Version",
          label: "Version",
          className: "tn",
          cell: ({ version }) =>
            version === 1 ? (
              version
            ) : (
              <a href={addressOfRange(editor.bot, version - 1, version)}>{version}</a>
            ),
        },
        {
          head: "State",
          label: "State",
          cell: ({ version }) => version === live && <Badge outcome="answered" says="Live" />,
        },
        {
          head: "Origin",
          label: "Origin",
          className: "wide",
          cell: (version) => <About {...version} />,
        },
        {
          head: <span class="vh">Restore</span>,
          label: "Restore",
          isNumber: true,
          cell: ({ version }) =>
            version !== live && (
              <GuardedButton
                permission="bots.write"
                disabled={restoring.isBusy || editor.isPublishing.value}
                onClick={() => restoring.run(version)}
              >
                Restore version {version}
              </GuardedButton>
            ),
        },
      ]}
    />
  );
}

function About({ origin, note, restoredFrom, publishedBy, publishedAt }: BotVersionSummary) {
  return (
    <Fragment>
      {restoredFrom !== undefined && `restored from version ${restoredFrom}`}
      {note !== undefined && <VisitorText text={note} />} {origin === "file" && <Tag>from a file</Tag>}
      <span class="sub">
        <bdi>{publishedBy}</bdi> · <Time at={publishedAt} />
      </span>
    </Fragment>
  );
}

/** Makes a version the draft and opens its changes, where it is checked before it can be published. */
async function bringBack(editor: BotDraftEditor, version: number): Promise<void> {
  const step = await editor.bringBack(version);
  if (!editor.isChanged.peek()) return say(`Version ${version} has the same text as the live version.`);
  go(`/bots/${encodeURIComponent(editor.bot)}/changes`);
  say(`Version ${version} is the draft now. Publish it to make it live.`, {
    ...wayBack(editor, step),
    what: "version",
  });
}

/** The difference between two versions; without a range, between the live version and the draft. */
function Difference({
  editor,
  range,
  live,
}: {
  editor: BotDraftEditor;
  range: string | undefined;
  live: number;
}) {
  const named = /^(\d+)\.\.(\d+)$/.exec(range ?? "");
  const { bot } = editor;
  const published = editor.published.value!.yaml;
  const texts = useResource(`${bot} ${range ?? ""}`, async (signal) => {
    if (named === null) return undefined;
    const [before, after] = await Promise.all(
      [named[1]!, named[2]!].map((version) =>
        ask("GET /bots/:bot/versions/:version", { path: { bot, version } }, { signal }),
      ),
    );
    return { before: before!.yaml, after: after!.yaml };
  });
  if (named === null) {
    if (!editor.isChanged.value) return null;
    return <DiffView title={`${live} → draft`} before={published} after={editor.text.value} />;
  }
  return (
    <Read what="the two versions" from={texts} lines={["w9", "w6", "w9"]}>
      {(both) => both && <DiffView title={`${named[1]} → ${named[2]}`} {...both} />}
    </Read>
  );
}
