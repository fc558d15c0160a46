import type { EmbedConfig, WidgetTheme } from "../../domain/embed.ts";
import { cannotLoad, launcherName } from "./languages.ts";
import { DEFAULT_Z_INDEX, type WidgetOptions } from "./options.ts";
import { frameCss as themeCss, hostRule, lengthsOf } from "./theme.ts";

import frameCss from "./frame.css" with { type: "text" };

/** The widget's host element with its shadow tree, its only part in the document. */
export interface Frame {
  readonly host: HTMLElement;
  readonly shadow: ShadowRoot;
  readonly panel: HTMLElement;
  readonly launcher: HTMLButtonElement;
  readonly show: (open: boolean) => void;
  readonly showUnread: (count: number) => void;
  /** Button that loads the panel again. */
  readonly again: HTMLButtonElement;
  /** Shows that button instead of a panel that failed to load. */
  readonly showFailure: (failed: boolean) => void;
  /** Applies the bot's name and colours. */
  readonly dress: (config: EmbedConfig) => void;
}

/** Colours until the bot's are known: the browser's and grey, because computing them would delay the launcher. */
const UNDRESSED = "color-scheme:light dark;--primary:#888;--icon:#fff;--bg:Canvas;--line:#0002;";

/** `all: initial !important` inside the shadow tree overrides every rule of the page; `direction` is not part of `all`. */
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

/** Shows the bot's picture instead of the speech bubble. */
const pictureRule = (url: string) =>
  `.launcher::before{inset:4px;width:48px;height:48px;clip-path:circle();background:url(${JSON.stringify(url)})center/cover}`;

export function createFrame(options: WidgetOptions): Frame {
  const host = document.createElement("parley-chat");
  const shadow = host.attachShadow({ mode: "open" });
  const title = element("b", "");
  const again = element("button", "again");
  // Shown until the panel is loaded. The launcher closes it.
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
    // Speech control needs the visible label at the start of the accessible name.
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
    // Drawn by CSS: the accessible name contains the number already and must begin with the label.
    badge.dataset["n"] = `${count || ""}`;
    launcher.ariaLabel = name + (count ? `, ${count}` : "");
  }

  again.textContent = cannotLoad(options.language);
  loading.role = "status";
  // In the top layer, changes of the page's root do not move the widget. A page that sets a z-index gets that layer instead.
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

/** Keeps the host element in the document when the page replaces its parents. @returns a function that inserts and removes it. */
export function keepPresent(host: HTMLElement, container: string | undefined): (present: boolean) => void {
  const root = document.documentElement;
  const observer = new MutationObserver(attach);
  function attach(): void {
    if (host.isConnected) return;
    // Beside the body, because pages may replace the body. A container may appear late, or again after a change of route.
    (container ? document.querySelector(container) : root)?.append(host);
    // Browsers from before 2024 have no popover: the element stays in the page's own layer.
    if (host.popover && host.isConnected) host.showPopover?.();
  }
  return (present) => {
    observer.disconnect();
    if (present) {
      observer.observe(root, { childList: true, subtree: !!container });
      attach();
    } else host.remove();
  };
}
