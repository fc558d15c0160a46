import { h, render } from "preact";

import { Session } from "../conversation/session.ts";
import { Markdown } from "../markdown/markdown.tsx";
import type { PanelHandle, Shell } from "../shell.ts";
// The build replaces this import by the strings of the chunk's language.
import chunkStrings, { type Strings } from "../strings/en.ts";
import { fill } from "../strings/fill.ts";
import { announceUnread, leaveTopLayerToPrint, listenToKeys } from "./page.ts";
import { type Drawn, drawPanel } from "./panel.tsx";
import { followPeople } from "./people.ts";
import { panelCss as themeCss } from "./theme.ts";
import { followViewport } from "./viewport.ts";

import conversationCss from "./conversation.css" with { type: "text" };
import mediaCss from "./media.css" with { type: "text" };
import panelCss from "./panel.css" with { type: "text" };
import proseCss from "./prose.css" with { type: "text" };

/** File name of `template.ts` among the assets; filled in by the build. */
declare const TEMPLATE_FILE: string;

/** The page may replace every text but the attribution. */
function wording({ options }: Shell): Strings {
  try {
    const reworded = JSON.parse(options.strings ?? "{}") as Partial<Strings>;
    return { ...chunkStrings, ...reworded, poweredBy: chunkStrings.poweredBy };
  } catch (error) {
    warn("data-strings is not JSON:", error);
    return chunkStrings;
  }
}

function warn(message: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the page's developer must see what the widget ignores
  console.error(`[parley] ${message}`, error);
}

function addStyles({ root, config }: Shell): void {
  const shadow = root.getRootNode() as ShadowRoot;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelCss + conversationCss + proseCss + mediaCss);
  const theme = new CSSStyleSheet();
  theme.replaceSync(themeCss(config.theme ?? {}));
  shadow.adoptedStyleSheets.push(theme, sheet);
}

async function drawBotsTemplate(
  shell: Shell,
  session: Session,
  strings: Strings,
): Promise<Drawn | undefined> {
  if (shell.config.template === undefined) return undefined;
  try {
    const host = (await import(shell.options.assetsUrl + TEMPLATE_FILE)) as typeof import("./template.ts");
    const draw = (text: string, element: HTMLElement) =>
      render(<Markdown text={text} labels={strings} />, element);
    return await host.drawTemplate(shell, session, strings, { draw, followPeople });
  } catch (error) {
    warn(`template "${shell.config.template.id}" failed; showing the default panel:`, error);
    return undefined;
  }
}

/** Draws the conversation into the loader's shell, by the bot's template if it has one. */
export async function mountPanel(shell: Shell): Promise<PanelHandle> {
  const life = new AbortController();
  const session = new Session(shell);
  const strings = wording(shell);
  addStyles(shell);
  listenToKeys(shell, life.signal);
  leaveTopLayerToPrint(shell, life.signal);
  followViewport(shell, life.signal);
  announceUnread(shell, fill(strings.unread, { bot: shell.config.botName }), life.signal);
  const drawn = (await drawBotsTemplate(shell, session, strings)) ?? drawPanel(shell, session, strings);
  // Never removed: the listeners end with the widget.
  shell.on("open", session.showUnread);
  session.showUnread();
  session.resume();
  return {
    focus: drawn.focus,
    send: session.send,
    reset: session.reset,
    destroy() {
      life.abort();
      session.destroy();
      drawn.destroy();
    },
  };
}
