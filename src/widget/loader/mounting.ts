import type { EmbedConfig } from "../../domain/embed.ts";
import type { PanelHandle, PanelModule, Shell } from "../shell.ts";

/**
 * Puts the panel into its shell, once. Resolves to nothing where there is no bot, after the end of the widget, and after
 * a failure, which the next call tries to make good.
 */
export function mounting(
  shell: Omit<Shell, "config">,
  wanted: Promise<EmbedConfig | undefined>,
  loadChunk: () => Promise<PanelModule>,
  signal: AbortSignal,
): () => Promise<PanelHandle | undefined> {
  let panel: Promise<PanelHandle | undefined> | undefined;

  async function mountOnce(): Promise<PanelHandle | undefined> {
    const [config, chunk] = await Promise.all([wanted, loadChunk()]);
    if (config === undefined || signal.aborted) return undefined;
    const mounted = await chunk.mountPanel({ ...shell, config });
    signal.addEventListener("abort", mounted.destroy);
    return mounted;
  }

  function fail(error: unknown): undefined {
    panel = undefined;
    shell.close();
    shell.emit("error", { code: "PANEL_NOT_LOADED", message: String(error) });
  }

  return () => (panel ??= mountOnce().catch(fail));
}
