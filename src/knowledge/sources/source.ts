import { posix } from "node:path";

import type { BotDocument } from "../../domain/bot.ts";
import type { KnowledgeEntry } from "../../domain/knowledge.ts";

/** A source of documents. */
export type KnowledgeSource = FileSource | PageSource | SitemapSource;

/** A file or folder, relative to the bot file's folder. */
export interface FileSource {
  kind: "files";
  /** As the operator wrote it; unique among the bot's sources. */
  name: string;
  /** Without a final `/`. */
  path: string;
  /** Pattern of its documents' URLs; without it, they have only their own. */
  url?: string;
  /** Globs of excluded files of a folder. */
  exclude?: readonly string[];
}

/** A single page. */
export interface PageSource {
  kind: "page";
  name: string;
  url: string;
}

/** The pages that a sitemap lists. */
export interface SitemapSource {
  kind: "sitemap";
  name: string;
  url: string;
  /** Allowed prefixes of its pages' paths; empty: all pages. */
  only: readonly string[];
}

const IS_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Whether a text of the `knowledge` list is an address rather than a path. */
export function isAddress(text: string): boolean {
  return IS_ADDRESS.test(text);
}

/** An entry of a bot document's `knowledge`, with the source's name. */
export interface NamedEntry {
  name: string;
  entry: KnowledgeEntry;
}

/** The distinct entries of a bot document, in order. */
export function knowledgeEntries({ knowledge = [] }: Pick<BotDocument, "knowledge">): NamedEntry[] {
  const entries = Array.isArray(knowledge) ? knowledge : knowledge.sources;
  const byName = new Map(entries.toReversed().map((entry) => [nameOf(entry), entry]));
  return Array.from(byName, ([name, entry]) => ({ name, entry })).toReversed();
}

/** The sources that a bot document names, in its order. */
export function knowledgeSources(document: Pick<BotDocument, "knowledge">): KnowledgeSource[] {
  return knowledgeEntries(document).map(({ entry }) => sourceOf(entry));
}

function nameOf(entry: KnowledgeEntry): string {
  if (typeof entry === "string") return entry;
  return "path" in entry ? entry.path : entry.sitemap;
}

function sourceOf(entry: KnowledgeEntry): KnowledgeSource {
  const name = nameOf(entry);
  if (typeof entry === "string")
    return isAddress(entry) ? { kind: "page", name, url: entry } : fileSource(entry);
  return "path" in entry
    ? fileSource(entry.path, entry)
    : { kind: "sitemap", name, url: entry.sitemap, only: entry.only ?? [] };
}

function fileSource(path: string, { url, exclude }: Pick<FileSource, "url" | "exclude"> = {}): FileSource {
  return {
    kind: "files",
    name: path,
    path: posix.normalize(path).replace(/\/$/, ""),
    ...(url !== undefined && { url }),
    ...(exclude && { exclude }),
  };
}
