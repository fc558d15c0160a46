import type { PanelModule } from "../shell.ts";

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
