import { h } from "preact";
import { useRef } from "preact/hooks";

import type { BotMistake } from "../../../domain/operator/bots.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { YamlEditor } from "../../editor/yaml-editor.tsx";
import { useKeys } from "../../keys.ts";
import { Notice } from "../../parts/states.tsx";
import { Sentence } from "../../parts/text.tsx";
import { counted } from "../../words/numbers.ts";
import { linesOf } from "../../yaml/place.ts";
import { pointedAt, shownMistakes } from "./form.tsx";

const SAVED = { saved: "saved", unsaved: "…", saving: "saving …", failed: "not saved" };

/** The bot's YAML. It and the form beside it edit the same draft. */
export function YamlPane({ editor }: { editor: BotDraftEditor }) {
  const focus = useRef<(() => void) | undefined>(undefined);
  const text = editor.text.value;
  const path = pointedAt.value;
  const shaded = path && editor.isSound.value ? linesOf(text, path) : undefined;
  const mistakes = shownMistakes(editor);
  const errors = mistakes.filter(({ severity }) => severity === "error").length;
  useKeys([{ key: "y", says: "form or YAML", run: () => focus.current?.() }]);
  return (
    <section class="pane quiet" aria-labelledby="h-yaml">
      <div class="sticky section">
        <div class="pane-head">
          <h2 id="h-yaml">YAML</h2>
          <span class="small faint">the same bot; edit either side</span>
          <span class="end small">
            <kbd>y</kbd>
          </span>
        </div>
        <div class="code">
          <div class="code-head">
            <span>
              {editor.bot}.yaml,{" "}
              {editor.isChanged.value ? `draft, ${SAVED[editor.saveState.value]}` : "as published"}
            </span>
            {errors > 0 && <span class="end worse">{counted(errors, "mistake")}</span>}
          </div>
          <YamlEditor
            editor={editor}
            shaded={shaded}
            onReady={(ready) => {
              focus.current = ready;
            }}
          />
        </div>
        {mistakes.slice(0, MAX_MISTAKES).map((mistake) => (
          <Mistake key={`${mistake.line} ${mistake.message}`} mistake={mistake} />
        ))}
        {mistakes.length > MAX_MISTAKES && (
          <p class="small dim">and {counted(mistakes.length - MAX_MISTAKES, "more", "more")}</p>
        )}
        {path && shaded && (
          <p class="small faint">
            Shaded: the lines of the field under your cursor, <code class="intent">{path.join(" › ")}</code>.
          </p>
        )}
      </div>
    </section>
  );
}

/** Mistakes shown in full; the first is often the cause of the others. */
const MAX_MISTAKES = 3;

function Mistake({ mistake: { line, message, severity } }: { mistake: BotMistake }) {
  const place = line === undefined ? "" : `Line ${line}`;
  const title = severity === "error" ? place || "Error" : place || "To check";
  return (
    <Notice kind={severity === "error" ? "fault" : "look"} title={title}>
      <p>
        <Sentence text={message} />
      </p>
    </Notice>
  );
}
