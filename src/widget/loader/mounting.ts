import type { EmbedConfig } from "../../domain/embed.ts";
import type { PanelHandle, PanelModule, Shell } from "../shell.ts";

interface MountingParts {
  config: Promise<EmbedConfig | undefined>;
  loadChunk: () => Promise<PanelModule>;
  shellFor: (config: EmbedConfig) => Shell;
  signal: AbortSignal;
  onFailure: (error: unknown) => void;
}

/**
 * Puts the panel into its shell, once. Resolves to nothing where there is no bot, after the end of the widget, and after
 * a failure, which the next call tries to make good.
 */
export function mounting({ config, loadChunk, shellFor, signal, onFailure }: MountingParts) {
  let panel: Promise<PanelHandle | undefined> | undefined;

  async function mountOnce(): Promise<PanelHandle | undefined> {
    const [found, chunk] = await Promise.all([config, loadChunk()]);
    if (found === undefined || signal.aborted) return undefined;
    const mounted = await chunk.mountPanel(shellFor(found));
    signal.addEventListener("abort", mounted.destroy);
    return mounted;
  }

  return (): Promise<PanelHandle | undefined> => {
    panel ??= mountOnce().catch((error: unknown) => {
      panel = undefined;
      onFailure(error);
      return undefined;
    });
    return panel;
  };
}
