import { type ComponentChildren, Fragment, h } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import type { PublishPreview } from "../../domain/operator/bots.ts";
import { askStream } from "../api/client.ts";
import { session } from "../api/connection.ts";
import { DiffView } from "../diff/diff-view.tsx";
import { changedLines, diffLines } from "../diff/lines.ts";
import type { BotDraftEditor } from "../draft/bot-draft.ts";
import { LiveWork } from "../draft/live-work.ts";
import { wayBack } from "../draft/open-drafts.ts";
import { Button } from "../parts/button.tsx";
import { Fault, Notice } from "../parts/states.tsx";
import { say } from "../toasts.ts";
import { counted } from "../words/numbers.ts";
import { ago } from "../words/times.ts";
import { PublishBar } from "./publish-bar.tsx";
import { WhatWouldChange } from "./what-would-change.tsx";

interface ChangePaneProps {
  editor: BotDraftEditor;
  /** Shown while there are no changes. */
  empty: ComponentChildren;
  onPublished?: (yaml: string) => Promise<() => Promise<void>>;
}

/** The effects of a bot's draft, and the button that publishes it. */
export function ChangePane({ editor, empty, onPublished }: ChangePaneProps) {
  const { bot } = editor;
  const [ticks, setTicks] = useState<ReadonlySet<string>>(new Set());
  const preview = useMemo(
    () =>
      new LiveWork<PublishPreview>((yaml, onStep, signal, onPart) =>
        askStream("POST /bots/:bot/preview", { path: { bot }, body: { yaml } }, onStep, { signal }, onPart),
      ),
    [bot],
  );
  const isChanged = editor.isChanged.value;
  useEffect(() => (isChanged ? preview.follow(editor.text) : undefined), [preview, editor, isChanged]);
  const onTick = (tick: string, isOn: boolean) =>
    setTicks((before) => new Set(isOn ? [...before, tick] : [...before].filter((other) => other !== tick)));
  return (
    <Fragment>
      <ClashNotice editor={editor} />
      <SaveFault editor={editor} />
      {isChanged ? (
        <WhatWouldChange preview={preview} ticks={ticks} onTick={onTick}>
          <ChangedText editor={editor} />
        </WhatWouldChange>
      ) : (
        empty
      )}
      <PublishBar editor={editor} preview={preview} ticks={ticks} {...(onPublished && { onPublished })} />
    </Fragment>
  );
}

/** Shows why the draft could not be saved. While the server does not respond, the banner says so instead. */
export function SaveFault({ editor }: { editor: BotDraftEditor }) {
  const problem = editor.problem.value;
  if (problem === undefined || problem.code === "OFFLINE") return null;
  return <Fault what="The draft was not saved" problem={problem} retry={() => void editor.retry()} />;
}

/** Up to this number of lines, with their context, the difference is shown unfolded. */
const SHORT = 24;

/**
 * The draft's changes to the bot's text, including those that affect no decision, such as a colour or a webhook. Long changes are folded.
 */
function ChangedText({ editor }: { editor: BotDraftEditor }) {
  const [isOpen, setIsOpen] = useState<boolean>();
  const published = editor.published.value;
  const before = published?.yaml ?? "";
  const after = editor.text.value;
  const diff = useMemo(() => diffLines(before, after), [before, after]);
  const version = (published?.version ?? 0) + 1;
  return (
    <details
      class="changed-text"
      open={isOpen ?? diff.lines.length <= SHORT}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>In the YAML: {changedLines(diff)}</summary>
      <DiffView title={`Version ${version}`} before={before} after={after} />
    </details>
  );
}

/**
 * Another operator changed the bot in the meantime. Shows both changes and offers to apply one's own to the newer version, so that nothing
 * is overwritten silently.
 */
export function ClashNotice({ editor }: { editor: BotDraftEditor }) {
  const clash = editor.clash.value;
  if (clash === undefined) return null;
  const { kind, by, at, base, theirs, version } = clash;
  const what = kind === "draft" ? "changed this draft" : `published version ${version}`;
  const isOwn = by === session.value?.operator.name;
  const putOnTop = () => {
    const put = editor.putMineOnTop();
    if (put === undefined) return;
    const { overruled, step } = put;
    const [whose, both, mine] = isOwn
      ? ["those of the other window", "Both windows", "the text of this window"]
      : [`${by}'s`, "Both of you", "your text"];
    const places =
      overruled > 0 ? ` ${both} changed ${counted(overruled, "place")}; ${mine} was kept there.` : "";
    say(`Your changes now include ${whose}.${places}`, wayBack(editor, step));
  };
  return (
    <Notice
      kind="look"
      icon="people"
      title={`${isOwn ? "You" : by} ${what}${isOwn ? " in another window" : ""} ${ago(at)}`}
    >
      <p>Nothing was overwritten. Your changes can be applied to the newer version and are checked again.</p>
      <div class="actions">
        <Button kind="primary" onClick={putOnTop}>
          Apply my changes to it
        </Button>
        <Button onClick={() => editor.takeTheirs()}>Discard my changes</Button>
      </div>
      <div class="twin both">
        <DiffView
          title={isOwn ? "Changes of the other window" : `Changes by ${by}`}
          before={base}
          after={theirs}
        />
        <DiffView
          title={isOwn ? "Changes of this window" : "Your changes"}
          before={base}
          after={editor.text.value}
        />
      </div>
    </Notice>
  );
}
