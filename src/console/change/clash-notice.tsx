import { h } from "preact";

import { DiffView } from "../diff/diff-view.tsx";
import type { BotDraftEditor } from "../draft/bot-draft.ts";
import { Button } from "../parts/button.tsx";
import { Notice } from "../parts/states.tsx";
import { say } from "../toasts.ts";
import { counted } from "../words/numbers.ts";
import { ago } from "../words/times.ts";
import { wayBack } from "./take-back.ts";

/**
 * Another operator changed the bot in the meantime. Shows both changes and offers to apply one's own to the newer version, so that nothing
 * is overwritten silently.
 */
export function ClashNotice({ editor }: { editor: BotDraftEditor }) {
  const clash = editor.clash.value;
  if (clash === undefined) return null;
  const { kind, by, at, base, theirs, version } = clash;
  const what = kind === "draft" ? "changed this draft" : `published version ${version}`;
  const putOnTop = () => {
    const put = editor.putMineOnTop();
    if (put === undefined) return;
    const { overruled, step } = put;
    const places =
      overruled > 0 ? ` Both of you changed ${counted(overruled, "place")}; your text was kept there.` : "";
    say(`Your changes now include ${by}'s.${places}`, wayBack(editor, step));
  };
  return (
    <Notice kind="look" icon="people" title={`${by} ${what} ${ago(at)}`}>
      <p>Nothing was overwritten. Your changes can be applied to the newer version and are checked again.</p>
      <div class="actions">
        <Button kind="primary" onClick={putOnTop}>
          Apply my changes to it
        </Button>
        <Button onClick={() => editor.takeTheirs()}>Discard my changes</Button>
      </div>
      <div class="twin both">
        <DiffView title={`Changes by ${by}`} before={base} after={theirs} />
        <DiffView title="Your changes" before={base} after={editor.text.value} />
      </div>
    </Notice>
  );
}
