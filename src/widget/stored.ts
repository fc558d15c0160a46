import type { ParleyMessage } from "./public.d.ts";

/** The transcript in the visitor's browser: personal data, deleted `KEPT_FOR_MS` after the last message. */
export interface StoredConversation {
  conversationId?: string;
  messages: readonly ParleyMessage[];
  unread: number;
  /** The visitor has asked for a person. */
  handoff?: StoredHandoff | undefined;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** A visitor's request for a person. */
export interface StoredHandoff {
  /** Id of the message below which it was made; undefined for the offer at the cap. */
  at?: string | undefined;
  state: string;
  /** The e-mail address or, without one, the phone number for the reply. */
  reach?: string | undefined;
  /** Number of the last event included in `messages`. */
  heard: number;
}

export const KEPT_FOR_MS = 24 * 60 * 60 * 1000;

export const storageKey = (botId: string) => `parley:${botId}`;

/** The page's storage, or undefined if the browser or the page forbids it. */
export function openStorage(persist: "local" | "session" | "none"): Storage | undefined {
  try {
    if (persist === "none") return undefined;
    return persist === "local" ? localStorage : sessionStorage;
  } catch {
    return undefined; // Access to blocked third-party storage throws: the conversation stays in memory.
  }
}

/** Reads the stored conversation; an expired or unreadable one is deleted. */
export function readStored(
  storage: Storage | undefined,
  botId: string,
  now: number,
): StoredConversation | undefined {
  const text = storage?.getItem(storageKey(botId));
  if (!text) return undefined;
  try {
    const stored = JSON.parse(text) as StoredConversation;
    if (stored.expiresAt > now) return stored;
  } catch {
    // Not JSON: written by something else, or truncated. Deleted below.
  }
  storage?.removeItem(storageKey(botId));
  return undefined;
}

const tabKey = (botId: string) => `parley-tab:${botId}`;

/** State of a bot in this browser tab: `off` (the bot does not exist) or `open` (its panel was open on the last page). */
export const tabMark = (botId: string) => openStorage("session")?.getItem(tabKey(botId));

export function setTabMark(botId: string, word: "off" | "open"): void {
  try {
    openStorage("session")?.setItem(tabKey(botId), word);
  } catch {
    // Storage is full: the next page asks the service again and starts with a closed panel.
  }
}

export const clearTabMark = (botId: string) => openStorage("session")?.removeItem(tabKey(botId));
