import type { EmbedConfig, WidgetTheme } from "../../domain/embed.ts";
import { cannotLoad, launcherName } from "./launcher-strings.ts";
import { DEFAULT_Z_INDEX, type WidgetOptions } from "./options.ts";
import { frameCss as themeCss, hostRule, lengthsOf } from "./theme.ts";

import frameCss from "./frame.css" with { type: "text" };

/** The widget's only trace in the document: one host element and the shadow tree in it. */
export interface Frame {
  readonly host: HTMLElement;
  readonly shadow: ShadowRoot;
  readonly panel: HTMLElement;
  readonly launcher: HTMLButtonElement;
  readonly show: (open: boolean) => void;
  readonly showUnread: (count: number) => void;
  /** Tries again to load the panel. */
  readonly again: HTMLButtonElement;
  /** Whether that is offered, in the place of a panel that has not come. */
  readonly showFailure: (failed: boolean) => void;
  /** Names the widget after the bot, and puts on its colours. */
  readonly dress: (config: EmbedConfig) => void;
}

/** Colours until the bot's own are known: the browser's and a grey, because computing ours would hold up the bubble. */
const UNDRESSED = "color-scheme:light dark;--primary:#888;--icon:#fff;--bg:Canvas;--line:#0002;";

/** `all: initial !important` inside the shadow tree beats every rule of the page; `direction` is not part of `all`. */
function placeRule(options: WidgetOptions): string {
  const place = options.container
    ? "height:100%;min-height:420px;position:relative"
    : `position:fixed;inset:0;width:0;height:0;z-index:${options.zIndex}`;
  return hostRule(
    `all:initial;display:block;${UNDRESSED}${lengthsOf({})}direction:${options.direction};unicode-bidi:isolate;${place};`,
  );
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

/** The bot's picture in the place of the speech bubble. */
const pictureRule = (url: string) =>
  `.launcher::before{inset:4px;width:48px;height:48px;clip-path:circle();background:url(${JSON.stringify(url)})center/cover}`;

export function createFrame(options: WidgetOptions): Frame {
  const host = document.createElement("parley-chat");
  const shadow = host.attachShadow({ mode: "open" });
  const title = element("b", "");
  const again = element("button", "again");
  // What there is to see until the panel has come. The launcher closes it.
  const loading = element("div", "loading", title);
  const panel = element("div", "panel", loading);
  const badge = element("span", "badge");
  const label = element("span", "label");
  const launcher = element("button", "launcher", label, badge);
  const frame = element("div", `frame ${options.container ? "inline" : "overlay"}`, launcher, panel);
  const own = new CSSStyleSheet();
  const theme = new CSSStyleSheet();
  let name = launcherName(options.language);

  function introduce({ position }: WidgetTheme): void {
    frame.ariaLabel = launcher.ariaLabel = name;
    frame.classList.toggle("at-start", (options.position ?? position) === "start");
  }
  function dress({ botName, theme: wanted = {}, avatarUrl, launcher: look }: EmbedConfig): void {
    label.textContent = look?.label || "";
    // Who speaks to the browser says what is to be read.
    name = `${look?.label || name}: ${(title.textContent = botName)}`;
    introduce(wanted);
    const picture = look?.icon === "avatar" && avatarUrl ? pictureRule(avatarUrl) : "";
    theme.replaceSync(themeCss(wanted) + picture);
  }
  function show(open: boolean): void {
    panel.hidden = !open;
    frame.classList.toggle("open", open);
    launcher.ariaExpanded = `${open}`;
  }
  function showFailure(failed: boolean): void {
    if (failed) loading.append(again);
    else again.remove();
  }
  function showUnread(count: number): void {
    // Drawn by the style sheet: the name has it, and begins with the words of the label alone.
    badge.dataset["n"] = `${count || ""}`;
    launcher.ariaLabel = name + (count ? `, ${count}` : "");
  }

  again.textContent = cannotLoad(options.language);
  loading.role = "status";
  // In the top layer nothing that the page does to its root moves the widget. Who names a layer wants that one.
  if (!options.container && options.zIndex === DEFAULT_Z_INDEX) host.popover = "manual";
  frame.role = "region";
  frame.lang = options.language;
  frame.dir = options.direction;
  if (options.container) launcher.remove();
  own.replaceSync(placeRule(options) + frameCss);
  shadow.adoptedStyleSheets = [own, theme];
  shadow.append(frame);
  introduce({});
  showUnread(0);
  show(!!options.container);
  return { host, shadow, panel, launcher, again, show, showUnread, showFailure, dress };
}
