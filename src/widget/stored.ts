import type { ParleyMessage } from "./public.d.ts";

/** The transcript in the visitor's browser. It is personal data, and deleted `KEPT_FOR_MS` after the last message. */
export interface StoredConversation {
  conversationId?: string;
  messages: readonly ParleyMessage[];
  unread: number;
  /** The visitor has asked for a person. */
  handoff?: StoredHandoff | undefined;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** A visitor's wish for a person. */
export interface StoredHandoff {
  /** Message under which it was said; none where the cap was reached. */
  at?: string | undefined;
  state: string;
  /** The e-mail address, or else the phone number, that was left for the answer. */
  reach?: string | undefined;
  /** Number of the last event that is in `messages`. */
  heard: number;
}

export const KEPT_FOR_MS = 24 * 60 * 60 * 1000;

export const storageKey = (botId: string) => `parley:${botId}`;

/** The page's storage, or undefined where the browser or the page forbids it. */
export function openStorage(persist: "local" | "session" | "none"): Storage | undefined {
  try {
    if (persist === "none") return undefined;
    return persist === "local" ? localStorage : sessionStorage;
  } catch {
    return undefined; // Blocked third-party storage throws on mere access: the conversation stays in memory.
  }
}

/** The kept conversation; one that is expired or unreadable is deleted. */
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
    // The entry is not JSON: somebody else wrote it, or it was cut short. It is deleted below.
  }
  storage?.removeItem(storageKey(botId));
  return undefined;
}

const tabKey = (botId: string) => `parley-tab:${botId}`;

/** One word that the browser's tab keeps about a bot until it is closed: that it is `off`, or that its panel stood `open`. */
export const tabMark = (botId: string) => openStorage("session")?.getItem(tabKey(botId));

export function setTabMark(botId: string, word: "off" | "open"): void {
  try {
    openStorage("session")?.setItem(tabKey(botId), word);
  } catch {
    // Storage is full: the next page asks again, and opens closed.
  }
}

export const clearTabMark = (botId: string) => openStorage("session")?.removeItem(tabKey(botId));
