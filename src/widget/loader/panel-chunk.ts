import type { PanelModule } from "../shell.ts";

/** File names of the panel by language; filled in by the build. */
declare const PANEL_FILES: Readonly<Record<string, string>>;

/** Loads the panel in the visitor's language once; after a failure the next call tries again. */
export function panelChunk(assetsUrl: string, language: string): () => Promise<PanelModule> {
  let loading: Promise<PanelModule> | undefined;
  let failures = 0;
  return () => {
    // A browser may remember a failed import by its address.
    const again = failures > 0 ? `?${failures}` : "";
    loading ??= (import(assetsUrl + PANEL_FILES[language] + again) as Promise<PanelModule>).catch((error: unknown) => {
      failures += 1;
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
