import type { EmbedConfig } from "../../domain/embed.ts";
import type { ParleyApi, ParleyCall } from "../public.d.ts";
import type { Shell } from "../shell.ts";
import { openStorage, readStored, setTabMark, storageKey, tabMark } from "../stored.ts";
import { configUrl, fetchEmbedConfig } from "./embed-config.ts";
import { createEvents } from "./events.ts";
import { createFrame, type Frame } from "./frame.ts";
import { watchInterest, whenIdle } from "./interest.ts";
import { mounting } from "./mounting.ts";
import type { WidgetOptions } from "./options.ts";
import { panelChunk } from "./panel-chunk.ts";
import { keepPresent } from "./presence.ts";

type LoaderShell = Omit<Shell, "config">;
type Mount = ReturnType<typeof mounting>;

/** Puts the widget on the page and returns its API; `onDestroy` runs after it has gone. */
export function startWidget(options: WidgetOptions, onDestroy: () => void): ParleyApi {
  const inline = !!options.container;
  const life = new AbortController();
  const { signal } = life;
  const start = configUrl(options);
  // What the page preloads is about to arrive, in the language that its snippet was printed for.
  const preload = document.querySelector<HTMLLinkElement>(`link[href^="${start}"]`);
  const url = preload?.href ?? start + options.locale;
  const mark = tabMark(options.botId);
  let askAgain = () => {};
  // A bot that is not there is asked for once: each time the browser would write an error into the page's console.
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

  /** Shows the bot that there is; one that is disabled, or gone, leaves nothing on the page. */
  function receive(config: EmbedConfig | undefined): EmbedConfig | undefined {
    if (signal.aborted) return undefined;
    setPresent(!!config);
    if (!config) {
      setTabMark(options.botId, "off");
      events.emit("error", { code: "NOT_FOUND", message: options.botId });
      return undefined;
    }
    // Only when idle: the first access to the storage takes as long as drawing the bubble.
    whenIdle(recall);
    frame.dress(config);
    events.emit("ready");
    if (inline) load(false);
    return config;
  }

  /** Shows what was unread on the page before. Who waits for a person hears that one through the panel, closed as it is. */
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
  // The bubble waits for a configuration that is preloaded, to appear in the bot's colours at once.
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

/** Opens and closes the frame, and puts the focus back where it was; an inline one is always open. */
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
