import { modelServersOf } from "../domain/responder.ts";
import type { Runtime } from "../runtime.ts";
import type { RegistryWatch } from "../store/registry.ts";
import { trainBots } from "./training.ts";

const REGISTRY_POLL_MS = 200;

type RegistryParts = Pick<Runtime, "store" | "bots" | "embedTokens" | "log" | "config">;

/** Loads the bots as they are stored, and trains those that no `seed` of this version has trained. */
export async function loadBots(parts: Omit<RegistryParts, "embedTokens">): Promise<void> {
  const { store, bots, log } = parts;
  const untrained = bots.reload();
  warnOfUnknownServers(parts);
  if (untrained.length === 0) return;
  log.info({ bots: untrained.length }, "training intent models");
  const models = await trainBots(
    store,
    untrained.map((stored) => stored.document),
  );
  store.bots.setModels(models, new Map(untrained.map((stored) => [stored.id, stored.version])));
  bots.reload();
}

/** A bot whose servers are not configured would otherwise show it only to its first visitor. */
function warnOfUnknownServers({ bots, config, log }: Pick<RegistryParts, "bots" | "config" | "log">): void {
  for (const { id, document } of bots.all()) {
    const unknown = [...modelServersOf(document)].filter((name) => !Object.hasOwn(config.models, name));
    if (unknown.length > 0)
      log.warn({ botId: id, servers: unknown }, "bot names model servers that are not configured");
  }
}

/**
 * Keeps bots and embed tokens as other processes leave them, within a second: also while bots are being trained, which
 * takes as long as it takes. @returns how to stop it.
 */
export function followRegistry(
  parts: RegistryParts,
  watch: Pick<RegistryWatch, "poll">,
  load: (parts: RegistryParts) => Promise<void> = loadBots,
): () => void {
  const { bots, embedTokens, log } = parts;
  let isStale = false;
  let isLoading = false;
  const notice = () => {
    if (!watch.poll()) return;
    isStale = true;
    embedTokens.clear();
    if (isLoading) bots.reload();
  };
  const reload = async () => {
    isLoading = true;
    isStale = false;
    try {
      await load(parts);
      log.info({ bots: bots.size }, "bots and embed tokens reloaded");
    } finally {
      isLoading = false;
    }
  };
  const follow = async () => {
    try {
      notice();
      if (isStale && !isLoading) await reload();
    } catch (error) {
      isStale = true;
      log.error({ err: error }, "bots and embed tokens could not be reloaded; trying again");
    }
  };
  const timer = setInterval(() => void follow(), REGISTRY_POLL_MS);
  return () => clearInterval(timer);
}
