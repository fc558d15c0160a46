import { h } from "preact";

import { DiffView } from "../diff/diff-view.tsx";
import type { BotDraftEditor } from "../draft/bot-draft.ts";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/states.tsx";
import { say } from "../toasts.ts";
import { counted } from "../words/numbers.ts";
import { ago } from "../words/times.ts";
import { wayBack } from "./take-back.ts";

/** Somebody else was faster: both changes, and the offer to put one's own on top. Nothing is overwritten in silence. */
export function ClashNotice({ editor }: { editor: BotDraftEditor }) {
  const clash = editor.clash.value;
  if (clash === undefined) return null;
  const { kind, by, at, base, theirs, version } = clash;
  const what = kind === "draft" ? "changed this draft" : `published version ${version}`;
  const putOnTop = () => {
    const put = editor.putMineOnTop();
    if (put === undefined) return;
    const { overruled, step } = put;
    const places = overruled > 0 ? ` In ${counted(overruled, "place")} you both changed, yours counts.` : "";
    say(`Yours is on top of ${by}'s.${places}`, wayBack(editor, step));
  };
  return (
    <Notice kind="look" icon="people" title={`${by} ${what} ${ago(at)}`}>
      <p>Nothing of it is overwritten. Yours can follow on top of it, and is checked again.</p>
      <div class="actions">
        <Button kind="primary" onClick={putOnTop}>
          Put mine on top, and check again
        </Button>
        <Button onClick={() => editor.takeTheirs()}>Leave mine</Button>
      </div>
      <div class="twin both">
        <DiffView title={`What ${by} changed`} before={base} after={theirs} />
        <DiffView title="What you changed" before={base} after={editor.text.value} />
      </div>
    </Notice>
  );
}
