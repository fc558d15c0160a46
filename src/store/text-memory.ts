import { PROOF_MS, withoutProofs } from "../domain/action.ts";
import type { Turn } from "../domain/conversation.ts";
import type { ConversationId, RequestId } from "../domain/ids.ts";
import type { Now } from "../domain/time.ts";

/** The texts of a turn that hold words of the visitor or of the answer. */
export interface TurnTexts extends Pick<Turn, "input" | "response" | "subject" | "action"> {
  schemaValidationError?: string | undefined;
}

interface MemoryOptions {
  /** A steady clock; only differences count. */
  now: Now;
  /** How long texts are remembered. */
  keptMs: number;
  /** Maximum number of characters; beyond it, the oldest texts are forgotten early. */
  mostCharacters: number;
}

interface Remembered {
  texts: TurnTexts;
  at: number;
  conversation: ConversationId | undefined;
}

/**
 * Keeps in memory, for a time, the texts of turns that are not stored. A conversation's values for actions are kept with its latest turn that has
 * any, for as long as a proof is remembered. Those of earlier turns are not used, and no proofs are kept there.
 */
export class TextMemory {
  readonly #options: MemoryOptions;
  /** By request, oldest first. */
  readonly #remembered = new Map<RequestId, Remembered>();
  /** Turns that hold proofs, oldest first: of each conversation one at most. */
  readonly #withProofs = new Map<ConversationId, Remembered>();
  #characters = 0;

  constructor(options: MemoryOptions) {
    this.#options = options;
  }

  /** Remembers the texts, or replaces them: their time then runs from when they were first remembered. */
  remember(request: RequestId, texts: TurnTexts, conversation?: ConversationId): void {
    let remembered = this.#remembered.get(request);
    if (remembered) this.#replace(remembered, texts);
    else {
      remembered = { texts, at: this.#options.now(), conversation };
      this.#remembered.set(request, remembered);
      this.#characters += charactersOf(texts);
    }
    if (conversation !== undefined && texts.action !== undefined) this.#keepProofs(conversation, remembered);
    this.#forgetWhile(() => this.#characters > this.#options.mostCharacters);
  }

  find(request: RequestId): TurnTexts | undefined {
    this.#forgetProofs();
    const found = this.#remembered.get(request);
    return found && !this.#isOver(found) ? found.texts : undefined;
  }

  /** Deletes expired texts from memory. To be called from time to time. */
  forgetOld(): void {
    this.#forgetProofs();
    this.#forgetWhile((oldest) => this.#isOver(oldest));
  }

  #isOver({ at }: Remembered): boolean {
    return this.#options.now() - at >= this.#options.keptMs;
  }

  #replace(remembered: Remembered, texts: TurnTexts): void {
    this.#characters += charactersOf(texts) - charactersOf(remembered.texts);
    remembered.texts = texts;
  }

  #keepProofs(conversation: ConversationId, latest: Remembered): void {
    const before = this.#withProofs.get(conversation);
    if (before === latest) return;
    if (before) this.#stripProofs(before);
    this.#withProofs.delete(conversation);
    this.#withProofs.set(conversation, latest);
  }

  #forgetProofs(): void {
    for (const [conversation, remembered] of this.#withProofs) {
      if (this.#options.now() - remembered.at < PROOF_MS) return;
      this.#stripProofs(remembered);
      this.#withProofs.delete(conversation);
    }
  }

  /** An open question is removed with them, as it is if texts are stored. */
  #stripProofs(remembered: Remembered): void {
    const { action, ...texts } = remembered.texts;
    if (action === undefined) return;
    this.#replace(remembered, { ...texts, action: { values: withoutProofs(action.values) } });
  }

  #forgetWhile(isToGo: (oldest: Remembered) => boolean): void {
    for (const [request, remembered] of this.#remembered) {
      if (!isToGo(remembered)) return;
      this.#remembered.delete(request);
      const { conversation } = remembered;
      if (conversation && this.#withProofs.get(conversation) === remembered)
        this.#withProofs.delete(conversation);
      this.#characters -= charactersOf(remembered.texts);
    }
  }
}

/** Size of a turn besides its texts, in characters. Guessed. */
const CHARACTERS_OF_TURN = 200;

function charactersOf({ input, response, schemaValidationError = "", action }: TurnTexts): number {
  const ofAction = action === undefined ? 0 : JSON.stringify(action).length;
  return CHARACTERS_OF_TURN + input.length + response.length + schemaValidationError.length + ofAction;
}
