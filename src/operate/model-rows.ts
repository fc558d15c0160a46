import type { BotDocument } from "../domain/bot.ts";
import type { ModelCheck, ModelRow } from "../domain/operator/server.ts";
import { asksModels, modelServersOf } from "../domain/responder.ts";
import type { ServerReport } from "../model/check-server.ts";
import type { ModelFleet } from "../model/model-fleet.ts";

/** Each model server as this process sees it, in the order of the configuration. */
export function listModelServers(fleet: ModelFleet, bots: readonly { document: BotDocument }[]): ModelRow[] {
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
      usedBy: bots.filter(({ document }) => mayAsk(document, name)).map(({ document }) => document.id),
    };
  });
}

/** A bot that asks models and names none asks them all. */
function mayAsk(document: BotDocument, server: string): boolean {
  if (!asksModels(document)) return false;
  const named = modelServersOf(document);
  return named.size === 0 || named.has(server);
}

function withoutSecrets(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.username = "";
  url.password = "";
  url.search = "";
  return url.href;
}

/** A look at a server in a sentence. Pure. */
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
