/** The text with U+FFFD for NUL and for halves of surrogate pairs: not every program that reads it later survives them. */
export function soundText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u{FFFD}");
}

/** As `soundText`, of a text that arrives in pieces: a pair may be cut in two. */
export class SoundText {
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
