import type { WidgetTheme } from "../../domain/embed.ts";
import { launcherName } from "./launcher-strings.ts";
import type { WidgetOptions } from "./options.ts";
import { themeCss } from "./theme.ts";

import frameCss from "./frame.css" with { type: "text" };

/** The widget's only trace in the document: one host element and the shadow tree in it. */
export interface Frame {
  readonly host: HTMLElement;
  readonly shadow: ShadowRoot;
  readonly panel: HTMLElement;
  readonly launcher: HTMLButtonElement;
  readonly show: (open: boolean) => void;
  readonly showUnread: (count: number) => void;
  /** Names the widget after the bot, and puts on its colours. */
  readonly dress: (botName: string, theme: WidgetTheme) => void;
}

/** `all: initial !important` inside the shadow tree beats every rule of the page; `direction` is not part of `all`. */
function hostRule(options: WidgetOptions): string {
  const place = options.container
    ? "height:100%;min-height:420px;position:relative"
    : `position:fixed;width:0;height:0;inset-block-end:0;inset-inline-end:0;z-index:${options.zIndex}`;
  const rule = `all:initial;display:block;direction:${options.direction};unicode-bidi:isolate;${place};`;
  return `:host{${rule.replaceAll(";", "!important;")}}`;
}

function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  className: string,
  ...children: readonly Element[]
): HTMLElementTagNameMap[T] {
  const node = document.createElement(tag);
  node.className = className;
  node.append(...children);
  return node;
}

export function createFrame(options: WidgetOptions): Frame {
  const host = document.createElement("parley-chat");
  const shadow = host.attachShadow({ mode: "open" });
  const panel = element("div", "panel");
  const badge = element("span", "badge");
  const launcher = element("button", "launcher", badge);
  const frame = element("div", options.container ? "inline" : "overlay", launcher, panel);
  const theme = new CSSStyleSheet();
  let name = launcherName(options.language);

  function dress(botName: string, wanted: WidgetTheme): void {
    name += botName && `: ${botName}`;
    frame.ariaLabel = launcher.ariaLabel = name;
    frame.classList.toggle("at-start", (options.position ?? wanted.position) === "start");
    theme.replaceSync(themeCss(wanted));
  }
  function show(open: boolean): void {
    panel.hidden = !open;
    frame.classList.toggle("open", open);
    launcher.ariaExpanded = `${open}`;
  }
  function showUnread(count: number): void {
    badge.textContent = String(count || "");
    launcher.ariaLabel = count ? `${name}, ${count}` : name;
  }

  frame.classList.add("frame");
  frame.role = "region";
  frame.lang = options.language;
  frame.dir = options.direction;
  if (options.container) launcher.remove();
  shadow.adoptedStyleSheets = [sheetOf(hostRule(options) + frameCss), theme];
  shadow.append(frame);
  dress("", {});
  show(options.container !== undefined);
  return { host, shadow, panel, launcher, show, showUnread, dress };
}
