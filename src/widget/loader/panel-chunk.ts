import type { PanelModule } from "../shell.ts";

/** Hash in the panel's file name by language; filled in by the build. */
declare const PANEL_HASHES: Readonly<Record<string, string>>;

const hashes = PANEL_HASHES;

/** The language the widget speaks: the wanted one where it can, else English. */
export const spoken = (language: string): string => (language in hashes ? language : "en");

/** Loads the panel once; after a failure the next call tries again. */
export function panelChunk(assetsUrl: string, language: string): () => Promise<PanelModule> {
  const url = `${assetsUrl}panel-${language}-${hashes[language]}.js`;
  let loading: Promise<PanelModule> | undefined;
  let failures = 0;
  return () => {
    // A browser may remember a failed import by its address.
    loading ??= (import(failures ? `${url}?${failures}` : url) as Promise<PanelModule>).catch(
      (error: unknown) => {
        failures += 1;
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
}
