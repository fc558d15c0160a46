const OPEN = "<think>";
const CLOSE = "</think>";

/**
 * Collects a completion that arrives in pieces, and returns the part of each piece that may be shown immediately. Two things in front of
 * an answer are dropped: white space, and the `<think>` block that some models write first. Invalid characters are replaced; see `soundText`.
 */
export class AnswerText {
  #text = "";
  readonly #sound = new SoundText();
  /** The beginning of a possible tag. */
  #held = "";
  #isThinking = false;

  get text(): string {
    return this.#text;
  }

  /** Takes the next piece. @returns the text it adds to the answer. */
  push(delta: string): string {
    return this.#take(this.#sound.push(delta));
  }

  /** Ends the completion. @returns held text that belongs to the answer after all. */
  finish(): string {
    const last = this.#take(this.#sound.finish());
    const added = this.#isThinking ? "" : this.#held;
    this.#held = "";
    this.#text += added;
    return last + added;
  }

  #take(sound: string): string {
    const added = this.#text === "" ? this.#untilAnswer(this.#held + sound) : sound;
    this.#text += added;
    return added;
  }

  #untilAnswer(text: string): string {
    if (this.#isThinking) return this.#untilThought(text);
    const start = text.trimStart();
    if (start.startsWith(OPEN)) return this.#untilThought(start.slice(OPEN.length));
    const mayBecomeTag = OPEN.startsWith(start);
    this.#held = mayBecomeTag ? start : "";
    return mayBecomeTag ? "" : start;
  }

  #untilThought(text: string): string {
    const closedAt = text.indexOf(CLOSE);
    this.#isThinking = closedAt < 0;
    if (closedAt >= 0) return this.#untilAnswer(text.slice(closedAt + CLOSE.length));
    this.#held = text.slice(-CLOSE.length);
    return "";
  }
}

/** The text with U+FFFD for NUL and for halves of surrogate pairs: not every program that reads it later survives them. */
export function soundText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u{FFFD}");
}

/** As `soundText`, of a text that arrives in pieces: a pair may be cut in two. */
class SoundText {
  #half = "";

  /** @returns the text added by the piece. */
  push(piece: string): string {
    const text = this.#half + piece;
    this.#half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : "";
    return soundText(this.#half === "" ? text : text.slice(0, -1));
  }

  /** @returns a held first half of a surrogate pair whose second half did not arrive. */
  finish(): string {
    const half = soundText(this.#half);
    this.#half = "";
    return half;
  }
}
