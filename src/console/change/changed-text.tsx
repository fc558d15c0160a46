import { h } from "preact";
import { useMemo, useState } from "preact/hooks";

import { DiffView } from "../diff/diff-view.tsx";
import { diffLines } from "../diff/lines.ts";
import type { BotDraftEditor } from "../draft/bot-draft.ts";
import { counted } from "../words/numbers.ts";

/** Up to this number of lines, with their context, the difference is shown unfolded. */
const SHORT = 24;

/**
 * The draft's changes to the bot's text, including those that affect no decision, such as a colour or a webhook. Long changes are folded.
 */
export function ChangedText({ editor }: { editor: BotDraftEditor }) {
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
      <summary>
        In the YAML: {counted(diff.added, "line")} added, {diff.removed} removed
      </summary>
      <DiffView title={`Version ${version}`} before={before} after={after} />
    </details>
  );
}
