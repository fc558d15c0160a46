import type { ActionMemory } from "../domain/action.ts";
import { type ConversationHistory, isTextKept, type PastTurn, type Turn } from "../domain/conversation.ts";
import type { RequestId } from "../domain/ids.ts";
import type { PersonalDataKind } from "../domain/personal-data.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import { redactText } from "../text/personal-data.ts";
import { answeredElsewhere, IDEMPOTENCY_WINDOW_MS, type IdempotencyKey } from "./idempotency.ts";
import type { BotKey } from "./interface/bots.ts";
import { TextMemory, type TurnTexts } from "./text-memory.ts";
import type {
  BeginOutcome,
  EarlierAnswer,
  FinishOutcome,
  LeaseStore,
  RecordOutcome,
  TurnStore,
  TurnToBegin,
  TurnToFinish,
  TurnToRecord,
} from "./turn-store.ts";

/** Which texts of a message are stored. */
export interface TextKeeping {
  /** Whether any text is stored. */
  messages: "all" | "none";
  /** Kinds of personal data that are replaced by their names. */
  redact: readonly PersonalDataKind[];
}

/** How long a conversation continues as if its texts were stored. */
export const CONVERSATION_MEMORY_MS = 30 * 60_000;
/** How long a retry may still reach the server that has the answer in memory. Chosen by hand. */
const ELSEWHERE_MS = 2 * 60_000;
/** Memory limit in characters: about 100,000 turns of 400 characters, or 64 to 128 MB. There are two memories of this size. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

type SparedStore = TurnStore & Pick<LeaseStore, "isAlone">;

/**
 * A turn store that withholds texts from the store under it. Withheld texts stay in memory: 30 minutes for the conversation, and 24 hours
 * for answers to idempotency keys. Afterwards a conversation continues with its older turns as they are stored.
 */
export class SparingTurnStore implements TurnStore {
  readonly #store: SparedStore;
  readonly #keeping: TextKeeping;
  readonly #said: TextMemory;
  readonly #answers: TextMemory;

  /** @param now a steady clock; only differences count. */
  constructor(store: SparedStore, keeping: TextKeeping, now: Now) {
    this.#store = store;
    this.#keeping = keeping;
    const options = { now, mostCharacters: MAX_CHARACTERS };
    this.#said = new TextMemory({ ...options, keptMs: CONVERSATION_MEMORY_MS });
    this.#answers = new TextMemory({ ...options, keptMs: IDEMPOTENCY_WINDOW_MS });
  }

  /** Deletes expired texts from memory. To be called from time to time. */
  forgetOld(): void {
    this.#said.forgetOld();
    this.#answers.forgetOld();
  }

  async findConversation(
    id: string,
    bot: BotKey,
    notBefore: EpochMs,
  ): Promise<ConversationHistory | undefined> {
    const history = await this.#store.findConversation(id, bot, notBefore);
    return history && { ...history, turns: history.turns.map((turn) => this.#recall(turn)) };
  }

  /**
   * An answer that is neither stored nor in memory any more counts as none.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE if another server may have it in memory: a retry may reach that server, and the answer is
   * given once.
   */
  async findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined> {
    const earlier = await this.#store.findEarlierAnswer(key, now);
    if (earlier?.state !== "answered") return earlier;
    const { turn } = earlier;
    const texts = this.#answers.find(turn.requestId);
    if (texts) return { ...earlier, turn: withTexts(turn, texts) };
    if (isTextKept(turn)) return earlier;
    if (now - turn.at < ELSEWHERE_MS && !(await this.#store.isAlone())) throw answeredElsewhere();
    await this.#store.forgetAnswer(key, turn.requestId);
    return undefined;
  }

  forgetAnswer(key: IdempotencyKey, request: RequestId): Promise<void> {
    return this.#store.forgetAnswer(key, request);
  }

  async recordTurn(record: TurnToRecord): Promise<RecordOutcome> {
    const turn = this.#spared(record.turn);
    const outcome = await this.#store.recordTurn({ ...record, turn });
    if (outcome === "recorded") this.#remember(record, turn, record.idempotencyKey);
    return outcome;
  }

  async beginTurn(record: TurnToBegin): Promise<BeginOutcome> {
    const turn = this.#spared(record.turn);
    const begun = await this.#store.beginTurn({ ...record, turn });
    if (begun.outcome === "begun") this.#remember(record, turn);
    return begun;
  }

  async finishTurn(result: TurnToFinish): Promise<FinishOutcome> {
    const turn = this.#spared(result.turn);
    const outcome = await this.#store.finishTurn({ ...result, turn });
    if (outcome === "finished") this.#remember(result, turn, result.idempotencyKey);
    return outcome;
  }

  /** The turn without the withheld texts. */
  #spared(turn: Turn): Turn {
    const { messages, redact } = this.#keeping;
    const action = turn.action && sparedMemory(turn.action, this.#keeping);
    if (messages === "none") return withTexts(turn, { input: "", response: "", ...(action && { action }) });
    const { schemaValidationError: error } = turn.metadata;
    return withTexts(turn, {
      input: redactText(turn.input, redact),
      response: redactText(turn.response, redact),
      ...(turn.standalone !== undefined && { standalone: redactText(turn.standalone, redact) }),
      ...(turn.subject && { subject: turn.subject }),
      ...(action && { action }),
      schemaValidationError: error && redactText(error, redact),
    });
  }

  /** Only what is not stored is remembered. */
  #remember(
    { turn, conversationId }: Pick<TurnToRecord, "turn" | "conversationId">,
    stored: Turn,
    key?: IdempotencyKey,
  ): void {
    const texts = textsOf(turn);
    if (Bun.deepEquals(texts, textsOf(stored))) return;
    this.#said.remember(turn.requestId, texts, conversationId);
    const { subject: _, action: _action, ...answer } = texts;
    if (key) this.#answers.remember(turn.requestId, { ...answer, input: "" });
  }

  #recall(turn: PastTurn): PastTurn {
    const texts = this.#said.find(turn.requestId);
    if (texts === undefined) return turn;
    const { input, response, subject, action } = texts;
    return { ...turn, input, response, ...(subject && { subject }), ...(action && { action }) };
  }
}

/** Removes values that must not be stored. The open question stays; if a value was removed, only the id of an action to confirm stays. */
function sparedMemory({ values, open }: ActionMemory, { messages, redact }: TextKeeping): ActionMemory {
  const kept = Object.entries(values).filter(
    ([, { value }]) => messages === "all" && redactText(value, redact) === value,
  );
  const isWhole = kept.length === Object.keys(values).length;
  const confirm = open?.confirm && (isWhole ? open.confirm : { ...open.confirm, key: "" });
  return {
    values: Object.fromEntries(kept),
    ...(open && { open: { ...open, ...(confirm && { confirm }) } }),
  };
}

function textsOf({ input, response, subject, action, metadata: { schemaValidationError } }: Turn): TurnTexts {
  return {
    input,
    response,
    schemaValidationError,
    ...(subject && { subject }),
    ...(action && { action }),
  };
}

function withTexts<Kind extends Turn>(
  turn: Kind,
  {
    input,
    response,
    standalone,
    subject,
    action,
    schemaValidationError,
  }: TurnTexts & Pick<Turn, "standalone">,
): Kind {
  const { subject: _subject, action: _action, standalone: _standalone, ...rest } = turn;
  const { schemaValidationError: _error, ...metadata } = turn.metadata;
  const error = schemaValidationError !== undefined && { schemaValidationError };
  return {
    ...(rest as Kind),
    input,
    response,
    ...(standalone !== undefined && { standalone }),
    ...(subject && { subject }),
    ...(action && { action }),
    metadata: { ...metadata, ...error },
  };
}
