import type { Turn } from "../domain/conversation.ts";
import type { RequestId } from "../domain/ids.ts";
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
}

/** Texts of turns that are not stored, in memory for a limited time. */
export class TextMemory {
  readonly #options: MemoryOptions;
  /** By request, oldest first. */
  readonly #remembered = new Map<RequestId, Remembered>();
  #characters = 0;

  constructor(options: MemoryOptions) {
    this.#options = options;
  }

  /** Remembers the texts, or replaces them: the time still counts from the first call. */
  remember(request: RequestId, texts: TurnTexts): void {
    const earlier = this.#remembered.get(request);
    this.#characters += charactersOf(texts) - (earlier ? charactersOf(earlier.texts) : 0);
    if (earlier) earlier.texts = texts;
    else this.#remembered.set(request, { texts, at: this.#options.now() });
    this.#forgetWhile(() => this.#characters > this.#options.mostCharacters);
  }

  find(request: RequestId): TurnTexts | undefined {
    const found = this.#remembered.get(request);
    return found && !this.#isOver(found) ? found.texts : undefined;
  }

  /** Deletes expired texts from memory. To be called from time to time. */
  forgetOld(): void {
    this.#forgetWhile((oldest) => this.#isOver(oldest));
  }

  #isOver({ at }: Remembered): boolean {
    return this.#options.now() - at >= this.#options.keptMs;
  }

  #forgetWhile(isToGo: (oldest: Remembered) => boolean): void {
    for (const [request, remembered] of this.#remembered) {
      if (!isToGo(remembered)) return;
      this.#remembered.delete(request);
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
