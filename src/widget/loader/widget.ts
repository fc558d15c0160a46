import type { EmbedConfig } from "../../domain/embed.ts";
import type { ParleyApi, ParleyCall } from "../public.d.ts";
import type { Shell } from "../shell.ts";
import { openStorage, readStored, setTabMark, storageKey, tabMark } from "../stored.ts";
import { configUrl, fetchEmbedConfig } from "./embed-config.ts";
import { createEvents } from "./events.ts";
import { createFrame, type Frame, keepPresent } from "./frame.ts";
import type { WidgetOptions } from "./options.ts";
import { mounting, panelChunk, watchInterest, whenIdle } from "./panel-chunk.ts";

type LoaderShell = Omit<Shell, "config">;
type Mount = ReturnType<typeof mounting>;

/** Adds the widget to the page and returns its API; `onDestroy` runs after it was removed. */
export function startWidget(options: WidgetOptions, onDestroy: () => void): ParleyApi {
  const inline = !!options.container;
  const life = new AbortController();
  const { signal } = life;
  const start = configUrl(options);
  // The page preloads the configuration, in the language that the snippet was made for.
  const preload = document.querySelector<HTMLLinkElement>(`link[href^="${start}"]`);
  const url = preload?.href ?? start + options.locale;
  const mark = tabMark(options.botId);
  let askAgain = () => {};
  // Each failed request writes an error to the page's console: a missing bot is requested once per tab.
  const wanted = mark === "off" ? AbortSignal.abort() : signal;
  const fetched = fetchEmbedConfig(url, wanted, onTrouble);
  const events = createEvents();
  const frame = createFrame(options);
  const setPresent = keepPresent(frame.host, options.container);
  const { open: reveal, close, isOpen } = createDoors(frame, inline, events.emit);
  const loadChunk = panelChunk(options.assetsUrl, options.language);
  const shell = { ...events, options, root: frame.panel, close, isOpen, showUnread: frame.showUnread };
  const offerRetry = () => frame.showFailure(true);
  const mount = mounting(shell, fetched.then(receive), loadChunk, signal, offerRetry);

  function onTrouble(ask: () => void): void {
    askAgain = ask;
    if (isOpen()) offerRetry();
    else setPresent(false);
  }

  function load(focus: boolean): void {
    frame.showFailure(false);
    void mount().then((panel) => focus && isOpen() && panel?.focus());
  }

  /** Shows the bot; a disabled or deleted one leaves nothing on the page. */
  function receive(config: EmbedConfig | undefined): EmbedConfig | undefined {
    if (signal.aborted) return undefined;
    setPresent(!!config);
    if (!config) {
      setTabMark(options.botId, "off");
      events.emit("error", { code: "NOT_FOUND", message: options.botId });
      return undefined;
    }
    // The first access to storage takes as long as drawing the launcher: wait until the browser is idle.
    whenIdle(recall);
    frame.dress(config);
    events.emit("ready");
    if (inline) load(false);
    return config;
  }

  /** Restores the unread messages of the page before. Loads the closed panel for a visitor who waits for a person. */
  function recall(): void {
    const stored = readStored(openStorage(options.persist), options.botId, Date.now());
    if (!stored) return;
    shell.showUnread(stored.unread);
    if (stored.handoff && stored.handoff.state !== "closed") void mount();
  }

  function open(focus: boolean): void {
    if (signal.aborted) return;
    reveal();
    load(focus);
  }

  const api = createApi(shell, open, mount, () => {
    life.abort();
    setPresent(false);
    onDestroy();
  });
  frame.launcher.addEventListener("click", api.toggle);
  frame.again.addEventListener("click", () => {
    askAgain();
    load(true);
  });
  watchInterest(frame.launcher, () => void loadChunk().catch(() => undefined), signal);
  // With a preloaded configuration the launcher waits for it, to appear in the bot's colours at once.
  setPresent(!preload);
  if ((options.open || mark === "open") && !inline) open(false);
  return api;
}

function createApi(
  { options: { persist, botId }, on, close, isOpen, showUnread }: LoaderShell,
  open: (focus: boolean) => void,
  mount: Mount,
  destroy: () => void,
): ParleyApi {
  const api: ParleyApi = {
    open: () => open(true),
    close,
    toggle: () => (isOpen() ? close() : open(true)),
    send: (text) => void mount().then((panel) => panel?.send(text)),
    reset() {
      openStorage(persist)?.removeItem(storageKey(botId));
      showUnread(0);
      void mount().then((panel) => panel?.reset());
    },
    destroy,
    on,
    push: (...calls) => calls.forEach((call) => runCall(api, call)),
  };
  return api;
}

/** Opens and closes the frame and restores the focus; an inline frame is always open. */
function createDoors(frame: Frame, inline: boolean, emit: ReturnType<typeof createEvents>["emit"]) {
  const isOpen = () => !frame.panel.hidden;
  return {
    isOpen,
    open: () => {
      if (isOpen()) return;
      frame.show(true);
      emit("open");
    },
    close: () => {
      if (!isOpen() || inline) return;
      const hadFocus = frame.shadow.activeElement;
      frame.show(false);
      if (hadFocus) frame.launcher.focus({ preventScroll: true });
      emit("close");
    },
  };
}

function runCall(api: ParleyApi, call: ParleyCall): void {
  if (typeof call === "function") return call(api);
  const [name, ...texts] = call;
  api[name](...(texts as [string]));
}
