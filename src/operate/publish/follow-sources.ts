import type { BotDocument } from "../../domain/bot.ts";
import type { BotMistake } from "../../domain/operator/bots.ts";
import type { BotKey } from "../../store/interface/bots.ts";
import type { StoredSource } from "../../store/interface/knowledge.ts";
import type { Bots, Knowledge } from "../../store/interface/store.ts";
import { sourcesOfFile, withCommandSources } from "../refresh-knowledge.ts";

interface SourceStore {
  bots: Pick<Bots, "find">;
  knowledge: Pick<Knowledge, "changeSources" | "listDocuments" | "noteChange">;
}

/**
 * Updates the stored document sources after a publication. Documents that the bot no longer names are not used for answers, but stay until
 * the next `seed` or `knowledge refresh`, so that restoring an earlier version restores them. New sources are only read by `knowledge
 * refresh`, because fetching pages takes minutes.
 */
export async function followSources({ bots, knowledge }: SourceStore, document: BotDocument): Promise<void> {
  const bot = await bots.find(document.id);
  if (!bot) return;
  const { before, after } = await knowledge.changeSources(bot.key, (stored) => followed(document, stored));
  const [was, is] = [retiredOf(before), retiredOf(after)];
  if (was.symmetricDifference(is).size === 0) return;
  const documents = await knowledge.listDocuments(bot.key);
  const count = (names: ReadonlySet<string>) => documents.filter(({ source }) => names.has(source)).length;
  const change = { stored: count(was.difference(is)), removed: count(is.difference(was)) };
  if (change.stored + change.removed > 0) await knowledge.noteChange(bot.key, change);
}

/** Warns how many documents would no longer be used after publishing a draft. */
export async function warnOfRetiring(
  knowledge: Pick<Knowledge, "listSources" | "listDocuments">,
  bot: BotKey,
  document: BotDocument,
): Promise<BotMistake[]> {
  const stored = await knowledge.listSources(bot);
  const leaving = retiredOf(followed(document, stored)).difference(retiredOf(stored));
  if (leaving.size === 0) return [];
  const documents = (await knowledge.listDocuments(bot)).filter(({ source }) => leaving.has(source)).length;
  if (documents === 0) return [];
  const [what, them] = documents === 1 ? ["1 document", "it"] : [`${documents} documents`, "them"];
  const names = [...leaving].map((name) => `\`${name}\``).join(", ");
  const message =
    `publishing this takes ${what} of ${names} out of the answers, as \`knowledge\` no longer names ${them}; rolling back ` +
    `brings ${them} back, until the next \`parley seed\` or \`parley knowledge refresh\` deletes ${them}`;
  return [{ message, severity: "warning" }];
}

/** The sources the bot names now, those added by operators, and those it named before. */
function followed(document: BotDocument, stored: readonly StoredSource[]): readonly StoredSource[] {
  const folder = stored.find(({ origin }) => origin === "bot-file")?.folder ?? "";
  const named = sourcesOfFile(document, folder).map((source) => knownAs(source, stored));
  const names = new Set(named.map(({ name }) => name));
  const leaving = stored
    .filter(({ name, origin }) => origin === "bot-file" && !names.has(name))
    .map((source) => ({ ...source, isRetired: true as const }));
  return [...withCommandSources(named, stored), ...leaving];
}

/** A source that is already stored, with its folder and the result of reading it. */
function knownAs(source: StoredSource, stored: readonly StoredSource[]): StoredSource {
  const known = stored.find(({ name, origin }) => name === source.name && origin === "bot-file");
  if (!known || !Bun.deepEquals(known.entry, source.entry)) return source;
  const { isRetired: _, ...current } = known;
  return current;
}

function retiredOf(sources: readonly StoredSource[]): Set<string> {
  return new Set(sources.filter(({ isRetired }) => isRetired).map(({ name }) => name));
}
