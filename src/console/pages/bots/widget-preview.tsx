import { h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { ask } from "../../api/client.ts";
import { session } from "../../api/connection.ts";
import { asProblem } from "../../api/resource.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { useBotValue } from "./form.tsx";
import { previewConfig, type View } from "./preview-config.ts";

const VIEWS: readonly (readonly [View, string])[] = [
  ["light", "Light"],
  ["dark", "Dark"],
  ["phone", "Phone"],
  ["rtl", "Right to left"],
];

/** Changes within this time are shown together. */
const PAUSE_MS = 400;

/** The widget with the draft's configuration. Its answers come from Try it: they are neither stored nor counted. */
export function WidgetPreview({ editor }: { editor: BotDraftEditor }) {
  const [view, setView] = useState<View>("light");
  const defaultWelcome = editor.defaultWelcome.value;
  return (
    <div class="section">
      <div class="actions">
        <div class="seg" role="radiogroup" aria-label="Preview settings">
          {VIEWS.map(([each, says]) => (
            <label key={each}>
              <input type="radio" name="view" checked={view === each} onChange={() => setView(each)} />
              {says}
            </label>
          ))}
        </div>
        <span class="end small faint">the real widget; nothing is stored or counted</span>
      </div>
      <div class={`stage ${view}`}>
        {/* Drawn once the greeting is known: redrawing the frame would lose text typed in it. */}
        {defaultWelcome !== undefined && <Shown {...{ editor, view, defaultWelcome }} />}
      </div>
    </div>
  );
}

interface ShownProps {
  editor: BotDraftEditor;
  view: View;
  defaultWelcome: string;
}

function Shown({ editor, view, defaultWelcome }: ShownProps) {
  const value = useBotValue(editor);
  const publicUrl = session.value?.publicUrl ?? location.origin;
  const config = usePaused(JSON.stringify(previewConfig(value, { publicUrl, view, defaultWelcome })));
  return <Frame key={`${view} ${config}`} editor={editor} config={config} isRtl={view === "rtl"} />;
}

function usePaused(value: string): string {
  const [held, setHeld] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setHeld(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return held;
}

interface FrameProps {
  editor: BotDraftEditor;
  config: string;
  isRtl: boolean;
}

/** Messages from the frame to the console. */
type FromFrame = { kind: "ready" } | { kind: "say"; id: number; input: string };

/** The frame has its own origin, so that scripts of a bot's template cannot reach the console or its session. */
function Frame({ editor, config, isRtl }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const tell = (message: object) => frame.current?.contentWindow?.postMessage(message, "*");
    const hear = ({ source, data }: MessageEvent<FromFrame>) => {
      if (source !== frame.current?.contentWindow) return;
      if (data.kind === "ready") tell({ kind: "config", config: JSON.parse(config) as object });
      if (data.kind === "say")
        void answer(editor, data.input).then((said) => tell({ kind: "answer", id: data.id, ...said }));
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, [editor, config]);
  return (
    <iframe
      ref={frame}
      title="Preview of the widget with this draft"
      sandbox="allow-scripts allow-popups"
      src={`/preview/widget${isRtl ? "?direction=rtl" : ""}`}
    />
  );
}

/** The draft's answer, in the shape of POST /chat. */
async function answer(editor: BotDraftEditor, input: string): Promise<{ status: number; body: object }> {
  try {
    const { response, intent, metadata } = await ask("POST /bots/:bot/try", {
      path: { bot: editor.bot },
      body: { input, yaml: editor.text.peek() },
    });
    const body = {
      conversationId: "cv_preview",
      response,
      metadata,
      ...(intent !== null && { intentDetected: intent }),
    };
    return { status: 200, body };
  } catch (error) {
    const { code, message } = asProblem(error);
    return { status: 400, body: { status: 400, code, detail: message } };
  }
}
