import type { PanelModule } from "../shell.ts";

/** The hash in every panel's file name; filled in by the build. */
declare const PANEL_HASH: string;

/** Loads the panel once; after a failure the next call tries again. */
export function panelChunk(assetsUrl: string, language: string): () => Promise<PanelModule> {
  let url = `${assetsUrl}panel-${language}-${PANEL_HASH}.js`;
  let loading: Promise<PanelModule> | undefined;
  return () => {
    loading ??= (import(url) as Promise<PanelModule>).catch((error: unknown) => {
      url += "?"; // A browser may remember a failed import by its address.
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
