import type { BotDocument } from "../../domain/bot.ts";
import type { Bots } from "../../store/interface/bots.ts";
import type { Knowledge, StoredSource } from "../../store/interface/knowledge.ts";
import { sourcesOfFile, withCommandSources } from "../refresh-knowledge.ts";

interface SourceStore {
  bots: Pick<Bots, "find">;
  knowledge: Pick<
    Knowledge,
    "listSources" | "saveSources" | "listDocuments" | "removeDocuments" | "noteChange"
  >;
}

/**
 * Has the stored sources of documents follow the bot that was published. What it no longer names leaves with its documents; what is new is
 * read by `knowledge refresh`: to fetch pages takes minutes, and is not the server's to do.
 */
export async function followSources({ bots, knowledge }: SourceStore, document: BotDocument): Promise<void> {
  const bot = await bots.find(document.id);
  if (!bot) return;
  const stored = await knowledge.listSources(bot.key);
  const folder = stored.find(({ origin }) => origin === "bot-file")?.folder ?? "";
  const named = sourcesOfFile(document, folder).map((source) => knownAs(source, stored));
  const sources = withCommandSources(named, stored);
  if (Bun.deepEquals(sources, stored)) return;
  await knowledge.saveSources(bot.key, sources);
  const names = new Set(sources.map(({ name }) => name));
  const leaving = (await knowledge.listDocuments(bot.key)).filter(({ source }) => !names.has(source));
  if (leaving.length === 0) return;
  await knowledge.removeDocuments(
    bot.key,
    leaving.map(({ id }) => id),
  );
  await knowledge.noteChange(bot.key, { stored: 0, removed: leaving.length });
}

/** A source that is stored already, with its folder and how reading it went. */
function knownAs(source: StoredSource, stored: readonly StoredSource[]): StoredSource {
  const known = stored.find(({ name, origin }) => name === source.name && origin === "bot-file");
  return known && Bun.deepEquals(known.entry, source.entry) ? known : source;
}
