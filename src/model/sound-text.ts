/** The text with U+FFFD for NUL and for halves of surrogate pairs: not every program that reads it later survives them. */
export function soundText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u{FFFD}");
}

/** As `soundText`, of a text that arrives in pieces: a pair may be cut in two. */
export class SoundText {
  #half = "";

  /** @returns what the piece adds to the text. */
  push(piece: string): string {
    const text = this.#half + piece;
    this.#half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : "";
    return soundText(this.#half === "" ? text : text.slice(0, -1));
  }

  /** @returns what was held back for a second half that has not come. */
  finish(): string {
    const half = soundText(this.#half);
    this.#half = "";
    return half;
  }
}
