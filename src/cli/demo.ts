import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { embedTokenState, hashEmbedToken, parseEmbedToken } from "../access/secrets.ts";
import type { EmbedToken } from "../domain/ids.ts";
import { issueEmbedToken } from "../operate/issue-embed-token.ts";
import type { StoredBot } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import type { Terminal } from "./terminal.ts";

const FILE = "demo.token";

/**
 * The embed token of the demo pages, valid for every bot. It is kept in a file beside the database, readable only by its owner, so that
 * pages and pasted snippets still work after a restart. It is replaced if it was revoked, has expired, or lacks a bot.
 */
export async function keepDemoToken(store: Store, terminal: Terminal, dataDir: string): Promise<EmbedToken> {
  const file = join(dataDir, FILE);
  const botIds = (await store.bots.listOthers([])).map((bot) => bot.id);
  const kept = parseEmbedToken(readIfThere(file).trim());
  if (kept && (await isUsable(store, kept, botIds, terminal.now()))) return kept;
  const { embedToken } = await issueEmbedToken(store, terminal, { botIds, label: "demo" });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${embedToken}\n`, { mode: 0o600 });
  return embedToken;
}

async function isUsable(
  { embedTokens }: Store,
  kept: EmbedToken,
  botIds: readonly string[],
  now: number,
): Promise<boolean> {
  const stored = await embedTokens.findByHash(hashEmbedToken(kept));
  if (!stored || embedTokenState(stored, now) !== "active") return false;
  return botIds.every((id) => stored.botIds.some((granted) => granted === id));
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

const MAX_LISTED = 5;

/** Addresses of the demo pages, one indented line each; for many bots the first few and the number of the others. */
export function listDemoPages(
  publicUrl: string,
  bots: readonly Pick<StoredBot, "id" | "enabled">[],
): string[] {
  const enabled = bots.filter((bot) => bot.enabled);
  if (enabled.length === 0) return ["  none: no bot is enabled"];
  const rest = enabled.length - MAX_LISTED;
  return [
    ...enabled.slice(0, MAX_LISTED).map(({ id }) => `  ${publicUrl}/demo/${id}`),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}
