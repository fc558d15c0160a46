import type { Logger } from "pino";

import type { BotHead } from "../store/interface/bots.ts";
import type { Bots, Store } from "../store/interface/store.ts";
import { UnusableDatabaseError } from "../store/unusable-database.ts";
import type { BotInspection } from "./bot-inspection.ts";
import { readBot } from "./read-bot.ts";
import type { BotRegistry } from "./registry.ts";
import { trainBots } from "./training.ts";

/** The parts that `loadBots` uses. */
export interface LoadBotsParts {
  store: Pick<Store, "hasIntentModel" | "findSentenceModel" | "findBotDocument"> & {
    bots: Pick<Bots, "setModels">;
  };
  bots: Pick<BotRegistry, "reload" | "heads">;
  inspection: Pick<BotInspection, "follow">;
  log: Pick<Logger, "info" | "error">;
}

/** Loads the stored bots, trains those without a model of this version by words alone, and has them inspected. An unreadable bot does not affect the others. */
export async function loadBots(parts: LoadBotsParts): Promise<void> {
  const { bots, inspection } = parts;
  const untrained = await bots.reload();
  if (untrained.length > 0) await train(parts, untrained);
  await inspection.follow(bots.heads());
}

async function train({ store, bots, log }: LoadBotsParts, untrained: readonly BotHead[]): Promise<void> {
  const unreadable = new Set<string>();
  const read = await Promise.all(
    untrained.map(async (head) => {
      try {
        return (await readBot(store, head))?.document ?? [];
      } catch (error) {
        if (!(error instanceof UnusableDatabaseError)) throw error;
        // The inspection reports it.
        unreadable.add(head.id);
        return [];
      }
    }),
  );
  const documents = read.flat();
  if (documents.length > 0) {
    log.info({ bots: documents.length }, "training intent models");
    const trained = await trainBots(store, documents, { isEncoded: false });
    await store.bots.setModels(trained, new Map(untrained.map(({ id, version }) => [id, version])));
  }
  await bots.reload(unreadable);
}
