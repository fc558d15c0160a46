import { LoadedBot } from "./loaded-bot.ts";
import type { BotStore, StoredBot } from "./store/bots.ts";

/** The enabled bots of a running server. */
export class BotRegistry {
  readonly #store: Pick<BotStore, "list">;
  #bots: ReadonlyMap<string, LoadedBot> = new Map();

  constructor(store: Pick<BotStore, "list">) {
    this.#store = store;
    this.reload();
  }

  /** A disabled bot is not found. */
  find(id: string): LoadedBot | undefined {
    return this.#bots.get(id);
  }

  get size(): number {
    return this.#bots.size;
  }

  /** Takes what the store holds now; bots that have not changed stay compiled. */
  reload(): void {
    const enabled = this.#store.list().filter((stored) => stored.enabled);
    this.#bots = new Map(enabled.map((stored) => [stored.id as string, this.#load(stored)]));
  }

  #load(stored: StoredBot): LoadedBot {
    const loaded = this.#bots.get(stored.id);
    const isCurrent = loaded?.key === stored.key && loaded.version === stored.version;
    return isCurrent ? loaded : new LoadedBot(stored);
  }
}
