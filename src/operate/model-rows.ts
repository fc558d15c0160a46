import type { BotDocument } from "../domain/bot.ts";
import type { BotId } from "../domain/ids.ts";
import type { ModelCheck, ModelRow } from "../domain/operator/server.ts";
import { asksModels, modelServersOf } from "../domain/responder.ts";
import { Breather } from "../domain/waiting.ts";
import type { ServerReport } from "../model/check-server.ts";
import type { ModelFleet } from "../model/model-fleet.ts";
import type { BotKey, BotOutline } from "../store/interface/bots.ts";
import type { Bots, Store } from "../store/interface/store.ts";
import { UnusableDatabaseError } from "../store/unusable-database.ts";

/** The model servers as this process sees them, in the order of the configuration. */
export function listModelServers(fleet: ModelFleet, bots: readonly ModelUser[]): ModelRow[] {
  return fleet.names.map((name) => {
    const { settings, circuit } = fleet.find(name)!;
    const stats = fleet.statsOf(name)!;
    const [p50Ms, p95Ms] = [stats.percentileMs(0.5), stats.percentileMs(0.95)];
    return {
      name,
      baseUrl: withoutSecrets(settings.baseUrl),
      model: settings.model,
      circuit,
      calls: stats.calls,
      failures: stats.failures,
      ...(p50Ms !== undefined && { p50Ms }),
      ...(p95Ms !== undefined && { p95Ms }),
      usedBy: bots.filter(({ servers }) => servers === "all" || servers.has(name)).map(({ id }) => id),
    };
  });
}

/** A bot with the model servers that it may use. */
interface ModelUser {
  id: BotId;
  servers: ReadonlySet<string> | "all";
}

interface KnownUser extends ModelUser {
  version: number;
}

/** The bots that may use each model server. Each document is read once per version, because reading all of them would delay visitors. */
export class ModelUsers {
  readonly #store: Pick<Store, "findBotDocument"> & { bots: Pick<Bots, "outline"> };
  /** By bot, with the version read. */
  #known = new Map<BotKey, KnownUser>();

  constructor(store: Pick<Store, "findBotDocument"> & { bots: Pick<Bots, "outline"> }) {
    this.#store = store;
  }

  async list(): Promise<ModelUser[]> {
    const breather = new Breather();
    const current = new Map<BotKey, KnownUser>();
    for (const bot of await this.#store.bots.outline()) {
      const known = this.#known.get(bot.key);
      const servers = known?.version === bot.version ? known.servers : await this.#read(bot);
      current.set(bot.key, { id: bot.id, version: bot.version, servers });
      await breather.breathe();
    }
    this.#known = current;
    return [...current.values()];
  }

  /** A bot with an unreadable document uses no server. */
  async #read(bot: BotOutline): Promise<ModelUser["servers"]> {
    try {
      const found = await this.#store.findBotDocument(bot);
      return found ? serversOf(found.document) : new Set();
    } catch (error) {
      if (!(error instanceof UnusableDatabaseError)) throw error;
      return new Set();
    }
  }
}

/** A bot that uses models and names no server may use all. */
function serversOf(document: BotDocument): ModelUser["servers"] {
  if (!asksModels(document)) return new Set();
  const named = modelServersOf(document);
  return named.size === 0 ? "all" : named;
}

function withoutSecrets(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.username = "";
  url.password = "";
  url.search = "";
  return url.href;
}

/** The result of a check in a sentence. Pure. */
export function describeCheck({
  completionMs,
  supports,
  advice,
}: ServerReport): Omit<ModelCheck, "milliseconds"> {
  if (completionMs === undefined) return { ok: false, message: advice.join("; ") };
  const abilities = [
    supports.streaming ? "streams" : "does not stream",
    supports.structuredOutput ? "keeps to a schema" : "takes no schema",
    supports.embeddings ? "makes embeddings" : "makes no embeddings",
  ];
  return { ok: true, message: [`answers in ${completionMs} ms`, ...abilities, ...advice].join("; ") };
}
