import type { EmbedConfig } from "../../domain/embed.ts";
import type { PanelHandle, PanelModule, Shell } from "../shell.ts";

const INTENTIONS = ["pointerenter", "focus"];
const PAGE_INTERACTIONS = ["pointermove", "pointerdown", "keydown", "scroll"];

/** Hash in the file names of panels; filled in by the build. */
declare const PANEL_HASH: string;

/** Loads the panel once. After a failure the next call tries again. */
export function panelChunk(assetsUrl: string, language: string): () => Promise<PanelModule> {
  let url = `${assetsUrl}panel-${language}-${PANEL_HASH}.js`;
  return () =>
    (import(url) as Promise<PanelModule>).catch((error: unknown) => {
      url += "?"; // Browsers may remember the failed import of a URL.
      throw error;
    });
}

/**
 * Mounts the panel in its shell, once. Resolves to undefined if there is no bot, if the widget was destroyed, and after a
 * failure, which is passed to `onFailure`; the next call then tries again.
 */
export function mounting(
  shell: Omit<Shell, "config">,
  wanted: Promise<EmbedConfig | undefined>,
  loadChunk: () => Promise<PanelModule>,
  signal: AbortSignal,
  onFailure: () => void,
): () => Promise<PanelHandle | undefined> {
  let panel: Promise<PanelHandle | undefined> | undefined;

  async function mountOnce(): Promise<PanelHandle | undefined> {
    const [config, chunk] = await Promise.all([wanted, loadChunk()]);
    if (!config || signal.aborted) return undefined;
    const mounted = await chunk.mountPanel({ ...shell, config });
    signal.addEventListener("abort", mounted.destroy);
    return mounted;
  }

  function fail(error: unknown): undefined {
    panel = undefined;
    onFailure();
    shell.emit("error", { code: "PANEL_NOT_LOADED", message: String(error) });
  }

  return () => (panel ??= mountOnce().catch(fail));
}

/** Runs `task` when the browser is idle; in Safari, which has no such event, after a short time. */
export function whenIdle(task: () => void): void {
  (window.requestIdleCallback ?? setTimeout)(task);
}

/**
 * Calls `prefetch` when the visitor approaches the launcher, or when the browser is idle after the first interaction with the page.
 * Visitors who leave at once never load the panel.
 */
export function watchInterest(launcher: Element, prefetch: () => void, signal: AbortSignal): void {
  const later = () => whenIdle(() => signal.aborted || prefetch());
  for (const type of INTENTIONS) launcher.addEventListener(type, prefetch, { signal });
  for (const type of PAGE_INTERACTIONS) addEventListener(type, later, { signal, passive: true, once: true });
}
