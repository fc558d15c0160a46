import type { BotDocument } from "../domain/bot.ts";
import { type OnTraining, trainBots } from "../intent-training.ts";
import type { SeedOptions, SeedOutcome } from "../store/bots.ts";
import type { Store } from "../store/store.ts";
import type { Terminal } from "./terminal.ts";

const QUIET_MS = 1000;

/** Trains what is new, with progress where it takes long, and stores all documents or none. */
export async function seedDocuments(
  store: Store,
  terminal: Terminal,
  documents: readonly BotDocument[],
  options: SeedOptions,
): Promise<SeedOutcome[]> {
  if (options.dryRun) return store.bots.seed(documents, options);
  const models = await trainBots(store, documents, progressOf(terminal));
  terminal.showProgress(undefined);
  return store.bots.seed(documents, options, models);
}

function progressOf({ now, showProgress }: Terminal): OnTraining {
  const startedAt = now();
  return ({ botId, done, total, share }) => {
    if (now() - startedAt < QUIET_MS) return;
    const percent = Math.floor(((done + share) / total) * 100);
    showProgress(`training intents: ${percent} % (${botId}, ${done + 1} of ${total})`);
  };
}
