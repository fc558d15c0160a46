import type { EmbedConfig } from "../../domain/embed.ts";
import type { ParleyApi, ParleyCall } from "../public.d.ts";
import type { PanelHandle, Shell } from "../shell.ts";
import { openStorage, readStored, storageKey } from "../stored.ts";
import { fetchEmbedConfig } from "./embed-config.ts";
import { createEvents } from "./events.ts";
import { createFrame } from "./frame.ts";
import { watchInterest } from "./interest.ts";
import type { WidgetOptions } from "./options.ts";
import { panelChunk } from "./panel-chunk.ts";
import { keepPresent } from "./presence.ts";

/** Puts the widget on the page and returns its API; `onDestroy` runs after it has gone. */
export function startWidget(options: WidgetOptions, onDestroy: () => void): ParleyApi {
  const life = new AbortController();
  const events = createEvents();
  const frame = createFrame(options);
  const setPresent = keepPresent(frame.host, options.container);
  const loadChunk = panelChunk(options.assetsUrl, options.language);
  const storage = openStorage(options.persist);
  const inline = options.container !== undefined;
  let open = inline;
  let mounting: Promise<PanelHandle | undefined> | undefined;
  let mounted: PanelHandle | undefined;
  let pageScroll: readonly [number, number] = [0, 0];

  const config = fetchEmbedConfig(options, () => setPresent(false)).then(welcomeConfig);

  function welcomeConfig(found: EmbedConfig | undefined): EmbedConfig | undefined {
    if (life.signal.aborted) return undefined;
    setPresent(found !== undefined);
    if (found === undefined) {
      events.emit("error", { code: "NOT_FOUND", message: `There is no enabled bot "${options.botId}".` });
      return undefined;
    }
    frame.dress(found.botName, found.theme ?? {});
    events.emit("ready", undefined);
    if (inline) void mount();
    return found;
  }

  function shellFor(found: EmbedConfig): Shell {
    return {
      ...events,
      config: found,
      options,
      root: frame.panel,
      close,
      isOpen: () => open,
      showUnread: frame.showUnread,
    };
  }

  async function mountOnce(): Promise<PanelHandle | undefined> {
    const [found, chunk] = await Promise.all([config, loadChunk()]);
    if (found === undefined || life.signal.aborted) return undefined;
    mounted = await chunk.mountPanel(shellFor(found));
    if (life.signal.aborted) mounted.destroy();
    return mounted;
  }

  function mount(): Promise<PanelHandle | undefined> {
    mounting ??= mountOnce().catch((error: unknown) => {
      mounting = undefined;
      if (!inline) close();
      events.emit("error", { code: "PANEL_NOT_LOADED", message: String(error) });
      return undefined;
    });
    return mounting;
  }

  function show(focus: boolean): void {
    if (life.signal.aborted) return;
    if (!open) {
      open = true;
      pageScroll = [scrollX, scrollY];
      frame.show(true);
      events.emit("open", undefined);
    }
    void mount().then((panel) => focus && open && panel?.focus());
  }

  function close(): void {
    if (!open || inline) return;
    const hadFocus = frame.shadow.activeElement !== null;
    const filledView = frame.panel.clientWidth >= innerWidth;
    open = false;
    frame.show(false);
    if (hadFocus) frame.launcher.focus({ preventScroll: true });
    if (filledView) scrollTo({ left: pageScroll[0], top: pageScroll[1], behavior: "instant" });
    events.emit("close", undefined);
  }

  function reset(): void {
    storage?.removeItem(storageKey(options.botId));
    frame.showUnread(0);
    mounted?.reset();
  }

  function destroy(): void {
    mounted?.destroy();
    life.abort();
    setPresent(false);
    onDestroy();
  }

  function listen(): void {
    const toggle = () => (open ? close() : show(true));
    frame.launcher.addEventListener("click", toggle);
    frame.shadow.addEventListener("keydown", (event) => {
      const { key, isComposing } = event as KeyboardEvent;
      if (key === "Escape" && !isComposing && !event.defaultPrevented) close();
    });
    // The page sees the host element as the target, and would take typing for its own shortcuts.
    for (const type of ["keydown", "keyup", "keypress"]) {
      frame.shadow.addEventListener(type, (event) => event.stopPropagation());
    }
    watchInterest(frame.launcher, () => void loadChunk().catch(() => undefined), life.signal);
  }

  const api: ParleyApi = {
    open: () => show(true),
    close,
    toggle: () => (open ? close() : show(true)),
    send: (text) => void mount().then((panel) => panel?.send(text)),
    reset,
    destroy,
    on: events.on,
    push: (...calls) => calls.forEach((call) => runCall(api, call)),
  };
  listen();
  setPresent(true);
  frame.showUnread(readStored(storage, options.botId, Date.now())?.unread ?? 0);
  if (options.open && !inline) show(false);
  return api;
}

function runCall(api: ParleyApi, call: ParleyCall): void {
  if (typeof call === "function") call(api);
  else if (call[0] === "send") api.send(call[1]);
  else api[call[0]]();
}
