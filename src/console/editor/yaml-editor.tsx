import { h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { ask } from "../api/client.ts";
import type { Problem } from "../api/problem.ts";
import { asProblem } from "../api/resource.ts";
import type { BotDraftEditor } from "../draft/bot-draft.ts";
import { loadPart } from "../load-part.ts";
import { whyOff } from "../parts/button.tsx";
import { Fault, Skeleton } from "../parts/states.tsx";
import { attempt } from "../toasts.ts";
import type { Lines } from "../yaml/place.ts";
import type { CodeEditor } from "./code-editor.ts";
import type { Schema } from "./schema-completion.ts";

let schema: Schema | undefined;

/** Read once. Without the schema there is no completion; everything else works. */
async function loadSchema(): Promise<void> {
  schema ??= (await ask("GET /bots/schema", {})) as Schema;
}

interface YamlEditorProps {
  editor: BotDraftEditor;
  /** The lines of the field under the cursor. */
  shaded: Lines | undefined;
  /** Receives a function that focuses the editor. */
  onReady?: (focus: () => void) => void;
}

/** The bot's YAML with completion and mistakes. The editor is loaded when it is first shown. */
export function YamlEditor({ editor, shaded, onReady }: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [code, setCode] = useState<CodeEditor>();
  const [problem, setProblem] = useState<Problem>();
  const isReadOnly = whyOff("bots.write") !== undefined;
  useEffect(() => {
    let isGone = false;
    let created: CodeEditor | undefined;
    void attempt("Completion is unavailable", loadSchema);
    const open = async () => {
      const { createCodeEditor } = await loadPart(() => import("./code-editor.ts"));
      if (isGone) return;
      const opened = createCodeEditor(host.current!, { ...listeners(editor), isReadOnly });
      created = opened;
      setCode(opened);
      onReady?.(() => opened.focus());
    };
    open().catch((error: unknown) => {
      if (!isGone) setProblem(asProblem(error));
    });
    return () => {
      isGone = true;
      created?.destroy();
    };
  }, [editor, isReadOnly]);
  const text = editor.text.value;
  const mistakes = editor.mistakes.value;
  // Text typed since the last drawing is in the draft but not in `text`.
  useEffect(() => code?.setText(editor.text.peek()), [code, text]);
  useEffect(() => code?.setMistakes(mistakes), [code, mistakes]);
  useEffect(() => code?.shade(shaded), [code, shaded?.from, shaded?.to]);
  return (
    <div>
      {problem !== undefined && <Fault what="The editor could not be loaded" problem={problem} />}
      {code === undefined && problem === undefined && (
        <Skeleton what="the editor" lines={["w6", "w9", "w4", "w9", "w6"]} />
      )}
      {/* The class tells the console's key handler that the focus is in a text field. */}
      <div class="cm-editor code-host" ref={host} />
    </div>
  );
}

/** Continuous typing is one undo step. */
function listeners(editor: BotDraftEditor) {
  let isFirst = true;
  return {
    label: "The bot as YAML",
    text: editor.text.peek(),
    schema: () => schema,
    onChange(text: string) {
      if (isFirst) editor.edit(text);
      else editor.refine(text);
      isFirst = false;
    },
    onBlur() {
      isFirst = true;
    },
  };
}
