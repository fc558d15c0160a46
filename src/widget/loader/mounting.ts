import type { EmbedConfig } from "../../domain/embed.ts";
import type { PanelHandle, PanelModule, Shell } from "../shell.ts";

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
