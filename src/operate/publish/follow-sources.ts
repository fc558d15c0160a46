import type { BotDocument } from "../../domain/bot.ts";
import type { BotMistake } from "../../domain/operator/bots.ts";
import type { BotKey, Bots } from "../../store/interface/bots.ts";
import type { Knowledge, StoredSource } from "../../store/interface/knowledge.ts";
import { sourcesOfFile, withCommandSources } from "../refresh-knowledge.ts";

interface SourceStore {
  bots: Pick<Bots, "find">;
  knowledge: Pick<Knowledge, "changeSources" | "listDocuments" | "noteChange">;
}

/**
 * Has the stored sources of documents follow the bot that was published. From what it no longer names nobody is answered, and what an
 * earlier version named is there again when that version is restored: the next `seed` or `knowledge refresh` deletes it. What is new is
 * read by `knowledge refresh`: to fetch pages takes minutes, and is not the server's to do.
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

/** What an operator has to know of a draft before it is published: how many documents nobody would be answered from any more. */
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

/** The sources as the bot names them now, those that operators have added, and those that it named before. */
function followed(document: BotDocument, stored: readonly StoredSource[]): readonly StoredSource[] {
  const folder = stored.find(({ origin }) => origin === "bot-file")?.folder ?? "";
  const named = sourcesOfFile(document, folder).map((source) => knownAs(source, stored));
  const names = new Set(named.map(({ name }) => name));
  const leaving = stored
    .filter(({ name, origin }) => origin === "bot-file" && !names.has(name))
    .map((source) => ({ ...source, isRetired: true as const }));
  return [...withCommandSources(named, stored), ...leaving];
}

/** A source that is stored already, with its folder and how reading it went. */
function knownAs(source: StoredSource, stored: readonly StoredSource[]): StoredSource {
  const known = stored.find(({ name, origin }) => name === source.name && origin === "bot-file");
  if (!known || !Bun.deepEquals(known.entry, source.entry)) return source;
  const { isRetired: _, ...current } = known;
  return current;
}

function retiredOf(sources: readonly StoredSource[]): Set<string> {
  return new Set(sources.filter(({ isRetired }) => isRetired).map(({ name }) => name));
}
