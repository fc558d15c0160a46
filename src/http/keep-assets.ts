import type { Logger } from "pino";

import { sha256 } from "../domain/sha256.ts";
import { waitAtMost } from "../domain/waiting.ts";
import type { Metrics } from "../metrics.ts";
import type { BuildFile } from "../store/interface/assets.ts";
import type { Store } from "../store/interface/store.ts";
import type { AssetSets } from "./asset-sets.ts";

interface KeepAssetsParts {
  assets: AssetSets;
  store: Pick<Store, "assets" | "health">;
  log: Pick<Logger, "error">;
  metrics: Pick<Metrics, "assetsUnstored">;
  /** Delay after a failed attempt. */
  retryMs?: number;
}

const RETRY_MS = 60_000;
/** Time limit of the last attempt when the server stops. */
const LAST_TRY_MS = 2000;

/**
 * Stores the files of this server's build, so that open pages find their parts after an upgrade, on every server of the store. Retries
 * until it succeeds, with low priority.
 *
 * @returns a function that stops it.
 */
export function keepAssets(parts: KeepAssetsParts): () => Promise<void> {
  const { assets, store, log, metrics, retryMs = RETRY_MS } = parts;
  if (!assets.areBuilt) return async () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let trying = tryToSave();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return waitAtMost(trying, LAST_TRY_MS);
  };

  async function tryToSave(): Promise<void> {
    try {
      const files = await filesOf(assets);
      await store.assets.saveBuild(buildIdOf(files), files);
      metrics.assetsUnstored.set(0);
    } catch (error) {
      metrics.assetsUnstored.set(1);
      // A failed storage has been logged already.
      if (isStopped || store.health.failure) return;
      log.error(
        { err: error },
        "the files of the widget and the console were not stored: pages that are open may lose them in an upgrade; trying again in a minute",
      );
      timer = setTimeout(() => void (trying = tryToSave()), retryMs);
    }
  }
}

/** Files with hashed names. */
async function filesOf({ widget, console }: AssetSets): Promise<BuildFile[]> {
  const at = (folder: string, files: Awaited<ReturnType<AssetSets["widget"]>>) =>
    files
      .filter(({ immutable }) => immutable)
      .map(({ path, integrity, brotli }) => ({ path: `${folder}/${path}`, integrity, brotli }));
  return [...at("cdn", await widget()), ...at("assets", await console())];
}

/** Equal for the same files, independent of the version. */
function buildIdOf(files: readonly BuildFile[]): string {
  const names = files.map(({ path, integrity }) => `${path} ${integrity}`);
  return sha256(names.toSorted().join("\n")).toString("hex").slice(0, 16);
}
