import type { PanelModule } from "../shell.ts";

/** The hash in every panel's file name; filled in by the build. */
declare const PANEL_HASH: string;

/** Loads the panel; what the browser has loaded once, it has. After a failure the next call tries again. */
export function panelChunk(assetsUrl: string, language: string): () => Promise<PanelModule> {
  let url = `${assetsUrl}panel-${language}-${PANEL_HASH}.js`;
  return () =>
    (import(url) as Promise<PanelModule>).catch((error: unknown) => {
      url += "?"; // A browser may remember a failed import by its address.
      throw error;
    });
}
