import { render } from "preact";

import { openSession, type Session } from "../conversation/session.ts";
import type { PanelHandle, Shell } from "../shell.ts";
// The build puts the language of the chunk in the place of English.
import chunkStrings, { type Strings } from "../strings/en.ts";
import { Scope } from "./context.ts";
import { type FocusTarget, Panel } from "./panel.tsx";
import panelCss from "./panel.css" with { type: "text" };
import { mountTemplate } from "./template.ts";
import { followViewport } from "./viewport.ts";

/** The page may reword everything but the attribution. */
function wording({ options }: Shell): Strings {
  return { ...chunkStrings, ...options.strings, poweredBy: chunkStrings.poweredBy };
}

function addStyles(root: HTMLElement): void {
  const shadow = root.getRootNode() as ShadowRoot;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelCss);
  shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet];
}

function mountDefault(shell: Shell, session: Session, strings: Strings, target: FocusTarget): () => void {
  render(
    <Scope.Provider value={{ shell, session, strings }}>
      <Panel target={target} />
    </Scope.Provider>,
    shell.root,
  );
  return () => render(null, shell.root);
}

/** Draws the conversation into the loader's shell. */
export function mountPanel(shell: Shell): PanelHandle {
  const life = new AbortController();
  const session = openSession(shell);
  const strings = wording(shell);
  const target: FocusTarget = { focus: () => {} };
  let unmount = () => {};
  addStyles(shell.root);
  followViewport(shell.root, life.signal);
  const drawDefault = () => {
    if (!life.signal.aborted) unmount = mountDefault(shell, session, strings, target);
  };
  if (shell.config.template === undefined) drawDefault();
  else {
    void mountTemplate(shell, session, strings).then((taken) => {
      if (taken === undefined) drawDefault();
      else unmount = taken;
    });
  }
  const stopListening = shell.on("open", session.markRead);
  if (shell.isOpen()) session.markRead();
  session.resume();
  return {
    focus: () => target.focus(),
    send: session.send,
    reset: session.reset,
    destroy() {
      life.abort();
      stopListening();
      session.destroy();
      unmount();
    },
  };
}
