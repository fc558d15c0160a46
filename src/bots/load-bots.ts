import type { Logger } from "pino";

import type { BotHead, Bots } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import type { BotInspection } from "./bot-inspection.ts";
import type { BotRegistry } from "./registry.ts";
import { trainBots } from "./training.ts";

/** The parts that `loadBots` uses. */
export interface LoadBotsParts {
  store: Pick<Store, "hasIntentModel" | "findBotDocument"> & { bots: Pick<Bots, "setModels"> };
  bots: Pick<BotRegistry, "reload" | "heads">;
  inspection: Pick<BotInspection, "follow">;
  log: Pick<Logger, "info">;
}

/** Takes over the bots as they are stored, trains those that no `seed` of this version has trained, and has them inspected. */
export async function loadBots(parts: LoadBotsParts): Promise<void> {
  const { bots, inspection } = parts;
  const untrained = await bots.reload();
  if (untrained.length > 0) await train(parts, untrained);
  await inspection.follow(bots.heads());
}

async function train({ store, bots, log }: LoadBotsParts, untrained: readonly BotHead[]): Promise<void> {
  log.info({ bots: untrained.length }, "training intent models");
  const stored = await Promise.all(untrained.map((head) => store.findBotDocument(head)));
  const documents = stored.flatMap((found) => found?.document ?? []);
  const trained = await trainBots(store, documents);
  await store.bots.setModels(trained, new Map(untrained.map(({ id, version }) => [id, version])));
  await bots.reload();
}
