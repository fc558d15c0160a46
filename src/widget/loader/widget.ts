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
  const inline = options.container !== undefined;
  const life = new AbortController();
  const url = configUrl(options);
  const mark = tabMark(options.botId);
  let askAgain = () => {};
  // A bot that is not there is asked for once: each time the browser would write an error into the page's console.
  const wanted = mark === "off" ? AbortSignal.abort() : life.signal;
  const fetched = fetchEmbedConfig(url, wanted, onTrouble);
  const events = createEvents();
  const frame = createFrame(options);
  const setPresent = keepPresent(frame.host, options.container);
  const { open: reveal, close, isOpen } = createDoors(frame, inline, events.emit);
  const loadChunk = panelChunk(options.assetsUrl, options.language);
  const shell = { ...events, options, root: frame.panel, close, isOpen, showUnread: frame.showUnread };
  const mount = mounting(shell, fetched.then(receive), loadChunk, life.signal, offerRetry);

  function onTrouble(ask: () => void): void {
    askAgain = ask;
    if (isOpen()) offerRetry();
    else setPresent(false);
  }

  function offerRetry(): void {
    frame.showFailure(true);
  }

  function load(focus: boolean): void {
    frame.showFailure(false);
    void mount().then((panel) => focus && isOpen() && panel?.focus());
  }

  /** Shows the bot that there is; one that is disabled, or gone, leaves nothing on the page. */
  function receive(config: EmbedConfig | undefined): EmbedConfig | undefined {
    if (life.signal.aborted) return undefined;
    setPresent(config !== undefined);
    // Only when idle: the first access to the storage takes as long as drawing the bubble.
    whenIdle(() => shell.showUnread(unreadOf(options)));
    if (config === undefined) {
      setTabMark(options.botId, "off");
      events.emit("error", { code: "NOT_FOUND", message: options.botId });
      return undefined;
    }
    frame.dress(config);
    events.emit("ready", undefined);
    if (inline) load(false);
    return config;
  }

  function open(focus: boolean): void {
    if (life.signal.aborted) return;
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
  watchInterest(frame.launcher, () => void loadChunk().catch(() => undefined), life.signal);
  // Where the page preloads the configuration, it is about to arrive. The bubble waits for it, to appear in the bot's colours at once.
  setPresent(!document.querySelector(`link[href="${url}"]`));
  if ((options.open || mark === "open") && !inline) open(false);
  return api;
}

function unreadOf({ persist, botId }: WidgetOptions): number {
  return readStored(openStorage(persist), botId, Date.now())?.unread ?? 0;
}

function createApi(
  { options, on, close, isOpen, showUnread }: LoaderShell,
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
      openStorage(options.persist)?.removeItem(storageKey(options.botId));
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
  let isOpen = inline;
  return {
    isOpen: () => isOpen,
    open: () => {
      if (isOpen) return;
      isOpen = true;
      frame.show(true);
      emit("open", undefined);
    },
    close: () => {
      if (!isOpen || inline) return;
      const hadFocus = frame.shadow.activeElement !== null;
      isOpen = false;
      frame.show(false);
      if (hadFocus) frame.launcher.focus({ preventScroll: true });
      emit("close", undefined);
    },
  };
}

function runCall(api: ParleyApi, call: ParleyCall): void {
  if (typeof call === "function") return call(api);
  const [name, ...texts] = call;
  api[name](...(texts as [string]));
}
