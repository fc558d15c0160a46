import { type ConversationHistory, HISTORY_TURNS, type PastTurn } from "../../domain/conversation.ts";
import type { BotKey } from "../interface/bots.ts";
import type { ConversationKey } from "../interface/conversations.ts";

/** The end of a conversation, as it was on disk while the file had one data version. */
export interface ConversationTail extends Readonly<Omit<ConversationHistory, "id">> {
  readonly key: ConversationKey;
  readonly bot: BotKey;
}

/** SQLite's `data_version`: it differs whenever another connection has written to the file. */
export type DataVersion = number & { readonly brand: "DataVersion" };

interface RememberedTail {
  tail: ConversationTail;
  characters: number;
}

/** Memory limit: about 50,000 conversations of three turns; 20 to 40 MB. Chosen by hand. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Size of a turn, and of a conversation, besides its texts, in characters. Guessed. */
const CHARACTERS_OF_TURN = 150;
const CHARACTERS_OF_CONVERSATION = 150;

/**
 * The ends of active conversations in memory, so that a message need not read them. A write of another process makes all of them stale: a
 * tail is found only under the data version at which it was complete.
 */
export class ConversationTails {
  readonly #mostCharacters: number;
  /** By conversation id, the least recently used first. */
  readonly #tails = new Map<string, RememberedTail>();
  #version: DataVersion | undefined;
  #characters = 0;

  constructor(mostCharacters = MAX_CHARACTERS) {
    this.#mostCharacters = mostCharacters;
  }

  find(id: string, version: DataVersion): ConversationTail | undefined {
    this.#takeVersion(version);
    const found = this.#tails.get(id);
    if (!found) return undefined;
    this.#tails.delete(id);
    this.#tails.set(id, found);
    return found.tail;
  }

  /** Remembers a tail that is complete at that version. */
  put(id: string, tail: ConversationTail, version: DataVersion): void {
    this.#takeVersion(version);
    this.forget(id);
    const characters = charactersOf(tail);
    this.#tails.set(id, { tail, characters });
    this.#characters += characters;
    this.#makeRoom();
  }

  forget(id: string): void {
    const found = this.#tails.get(id);
    if (!found) return;
    this.#tails.delete(id);
    this.#characters -= found.characters;
  }

  /** To be called when this process has erased conversations. */
  clear(): void {
    this.#tails.clear();
    this.#characters = 0;
  }

  #takeVersion(version: DataVersion): void {
    if (version === this.#version) return;
    this.clear();
    this.#version = version;
  }

  #makeRoom(): void {
    for (const id of this.#tails.keys()) {
      if (this.#characters <= this.#mostCharacters) return;
      this.forget(id);
    }
  }
}

/** The tail with one more turn. */
export function withTurn({ turns, ...tail }: ConversationTail, turn: PastTurn): ConversationTail {
  const kept = turns.length < HISTORY_TURNS ? turns : turns.slice(1 - HISTORY_TURNS);
  return { ...tail, turns: [...kept, turn] };
}

/** The tail with the answer to its latest turn; undefined if another turn is the latest. */
export function withAnswer(tail: ConversationTail, turn: PastTurn): ConversationTail | undefined {
  if (tail.turns.at(-1)?.requestId !== turn.requestId) return undefined;
  return { ...tail, turns: [...tail.turns.slice(0, -1), turn] };
}

function charactersOf({ turns }: ConversationTail): number {
  return turns.reduce(
    (sum, { input, response }) => sum + CHARACTERS_OF_TURN + input.length + response.length,
    CHARACTERS_OF_CONVERSATION,
  );
}
