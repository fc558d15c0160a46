import { element, icon, sheetOf } from "./dom.ts";
import { LAUNCHER_STRINGS } from "./launcher-strings.ts";
import frameCss from "./frame.css" with { type: "text" };
import type { WidgetOptions } from "./options.ts";
import { themeCss } from "./theme.ts";

const BUBBLE = "M12 3.2c5.3 0 9.3 3.5 9.3 8s-4 8-9.3 8q-1.3 0-2.5-.24l-4 1.9c-.6.3-1.2-.2-1.1-.85l.5-3.1C3.5 15.5 2.7 13.4 2.7 11.2c0-4.5 4-8 9.3-8Z";
const CROSS = "m6.5 6.5 11 11m0-11-11 11";

/** The widget's only trace in the document: one host element and the shadow tree in it. */
export interface Frame {
  readonly host: HTMLElement;
  readonly panel: HTMLElement;
  readonly launcher: HTMLButtonElement | undefined;
  readonly shadow: ShadowRoot;
  show(open: boolean): void;
  showUnread(count: number): void;
  /** Names the region and takes on the bot's colours. */
  dress(botName: string, theme: Parameters<typeof themeCss>[0]): void;
}

/** `all: initial !important` inside the shadow tree beats every rule of the page; `direction` is not part of `all`. */
function hostRule(options: WidgetOptions): string {
  const place = options.container
    ? "display:block;height:100%;min-height:420px;position:relative;container-type:inline-size"
    : `display:block;position:fixed;width:0;height:0;inset-block-end:0;inset-inline-end:0;z-index:${options.zIndex}`;
  const rule = `all:initial;direction:${options.direction};unicode-bidi:isolate;${place};`;
  return `:host{${rule.replaceAll(";", "!important;")}}`;
}

function createLauncher(): HTMLButtonElement {
  return element(
    "button",
    { class: "launcher", type: "button", "aria-controls": "panel" },
    icon("chat", BUBBLE),
    icon("cross", CROSS),
    element("span", { class: "badge", "aria-hidden": "true" }),
  );
}

export function createFrame(options: WidgetOptions): Frame {
  const words = LAUNCHER_STRINGS[options.language]!;
  const inline = options.container !== undefined;
  const host = document.createElement("parley-chat");
  const shadow = host.attachShadow({ mode: "open" });
  const panel = element("div", { class: "panel", id: "panel" });
  const launcher = inline ? undefined : createLauncher();
  const frame = element(
    "div",
    { class: `frame ${inline ? "inline" : "overlay"}`, role: "region", lang: options.language, dir: options.direction },
    ...(launcher ? [launcher] : []),
    panel,
  );
  const theme = sheetOf(themeCss({}));
  shadow.adoptedStyleSheets = [sheetOf(hostRule(options) + frameCss), theme];
  shadow.append(frame);
  let unread = 0;

  function nameLauncher(): void {
    const open = !panel.hidden;
    const name = open ? words[1] : unread > 0 ? words[2].replace("#", String(unread)) : words[0];
    launcher?.setAttribute("aria-label", name);
    launcher?.setAttribute("aria-expanded", String(open));
    launcher?.lastElementChild?.replaceChildren(unread > 0 ? String(Math.min(unread, 99)) : "");
  }
  function show(open: boolean): void {
    panel.hidden = !open;
    frame.classList.toggle("open", open);
    nameLauncher();
  }
  show(inline);
  frame.ariaLabel = words[0];
  return {
    host,
    panel,
    launcher,
    shadow,
    show,
    showUnread(count) {
      unread = count;
      nameLauncher();
    },
    dress(botName, wanted) {
      const position = options.position ?? wanted.position ?? "end";
      frame.classList.toggle("at-start", position === "start");
      frame.ariaLabel = botName;
      theme.replaceSync(themeCss(wanted));
    },
  };
}
