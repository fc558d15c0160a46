import { fieldsFromRow } from "./handoff-rows.ts";
import type {
  ConversationKey,
  ConversationSummary,
  FoundConversation,
  TurnFilter,
} from "./interface/conversations.ts";

/** Text of a hand-off's form, or of an operator's conversation, as both engines return it. */
export interface PeoplesWordsRow {
  key: ConversationKey;
  at: number;
  /** `form`: `text` is the JSON of a hand-off's fields. */
  kind: "form" | "said";
  text: string;
}

/** A conversation without a turn that passes the filter, as both engines return it. */
export interface AskedRow extends Omit<ConversationSummary, "latest"> {
  /** Form of its latest hand-off, in JSON. */
  fields: string;
}

/** Whether texts of hand-offs can pass a filter: they have no outcome and no intent. */
export function mayMeetPeople({ outcome, intent }: TurnFilter): boolean {
  return outcome === undefined && intent === undefined;
}

/** The texts of a row. */
export function textsOfRow({ key, kind, text }: PeoplesWordsRow): string[] {
  return kind === "said" ? [text] : Object.values(fieldsFromRow(text, `conversation ${key}`));
}

export function summaryOfAsked({ fields, ...conversation }: AskedRow, at: number): ConversationSummary {
  const { message = "" } = fieldsFromRow(fields, conversation.conversationId);
  return {
    ...conversation,
    latest: { requestId: null, at, input: message, intent: null, outcome: "handoff" },
  };
}

/** Merges conversations found by hand-offs into those found by turns, both latest first; each conversation once. */
export class LatestFirst {
  readonly #byPeople: readonly FoundConversation[];
  readonly #seen = new Set<ConversationKey>();
  #next = 0;

  constructor(byPeople: readonly FoundConversation[]) {
    this.#byPeople = byPeople;
  }

  has(key: ConversationKey): boolean {
    return this.#seen.has(key);
  }

  /** Conversations found by hand-offs that are later than this one, and then this one. */
  *upTo(found: FoundConversation): Generator<FoundConversation, void, undefined> {
    yield* this.#laterThan(found.at);
    yield* this.#once(found);
  }

  /** The rest, once no turns are left. */
  rest(): Generator<FoundConversation, void, undefined> {
    return this.#laterThan(-Infinity);
  }

  *#laterThan(at: number): Generator<FoundConversation, void, undefined> {
    for (; this.#next < this.#byPeople.length; this.#next++) {
      const found = this.#byPeople[this.#next]!;
      if (found.at <= at) return;
      yield* this.#once(found);
    }
  }

  *#once(found: FoundConversation): Generator<FoundConversation, void, undefined> {
    if (this.#seen.has(found.key)) return;
    this.#seen.add(found.key);
    yield found;
  }
}
