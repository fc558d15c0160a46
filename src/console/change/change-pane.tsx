import { type ComponentChildren, Fragment, h } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { askStream } from "../api/client.ts";
import type { BotDraftEditor } from "../draft/bot-draft.ts";
import { LivePreview } from "../draft/live-preview.ts";
import { Fault } from "../parts/states.tsx";
import { ChangedText } from "./changed-text.tsx";
import { ClashNotice } from "./clash-notice.tsx";
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
      new LivePreview((yaml, onStep, signal, onPart) =>
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
