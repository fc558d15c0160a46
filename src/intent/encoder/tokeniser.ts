/** Marks a space and the start of the first word. */
const BLANK = "▁";
/** Number of the piece for unknown characters. */
const UNKNOWN = 3;
/** First number of an ordinary piece; lower ones are start, padding, end and unknown. */
const FIRST_MATCHED = 4;
/** Extra cost of an unknown character, relative to the least probable piece. */
const UNKNOWN_COST = 10;
/** Slots of the prefix table, a power of two; 205,000 are in use. */
const SLOTS = 1 << 19;
/** The root of all prefixes; not a slot. */
const ROOT = SLOTS;
const NONE = -1;

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROLS = /[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]/g;
const BLANKS = /[\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd\s]+/g;

/** Normalises a text as in training of the pieces: NFKC, lower case, no control characters, single spaces. */
export function normaliseForPieces(text: string): string {
  return text.normalize("NFKC").replaceAll(CONTROLS, "").replaceAll(BLANKS, " ").trim().toLowerCase();
}

/**
 * Splits texts into the encoder's pieces with the greatest sum of log probabilities: the unigram model (Kudo 2018) with the Viterbi
 * algorithm. Of equal splits the one with the longer last piece wins.
 */
export class Tokeniser {
  readonly #logProbabilities: ArrayLike<number>;
  readonly #unknownLogProbability: number;
  /** By slot: the slot of the prefix without its last code unit, that code unit, and the piece that ends there. */
  readonly #parents = new Int32Array(SLOTS).fill(NONE);
  readonly #codeUnits = new Uint16Array(SLOTS);
  readonly #pieces = new Int32Array(SLOTS).fill(NONE);

  /** @param pieces in the order of their numbers. */
  constructor(pieces: readonly string[], logProbabilities: ArrayLike<number>) {
    this.#logProbabilities = logProbabilities;
    let least = Infinity;
    for (let piece = FIRST_MATCHED; piece < pieces.length; piece++) {
      least = Math.min(least, logProbabilities[piece]!);
      this.#add(pieces[piece]!, piece);
    }
    this.#unknownLogProbability = least - UNKNOWN_COST;
  }

  /** The piece numbers in order; empty for a blank text. */
  split(text: string): number[] {
    const normal = normaliseForPieces(text);
    if (normal === "") return [];
    return readBack(this.#findBestEnds(BLANK + normal.replaceAll(" ", BLANK)));
  }

  #add(text: string, piece: number): void {
    let slot = ROOT;
    for (let i = 0; i < text.length; i++) {
      const codeUnit = text.charCodeAt(i);
      const parent = slot;
      slot = this.#slotOf(parent, codeUnit);
      this.#parents[slot] = parent;
      this.#codeUnits[slot] = codeUnit;
    }
    this.#pieces[slot] = piece;
  }

  /** For each prefix of the text, the last piece of its best split. */
  #findBestEnds(text: string): BestEnds {
    const ends: BestEnds = {
      sums: new Float64Array(text.length + 1).fill(-Infinity),
      pieces: new Int32Array(text.length + 1),
      starts: new Int32Array(text.length + 1),
    };
    ends.sums[0] = 0;
    for (let start = 0; start < text.length; start++) {
      // This position is inside a surrogate pair.
      if (ends.sums[start] === -Infinity) continue;
      this.#followPieces(text, start, ends);
      const length = text.codePointAt(start)! > 0xffff ? 2 : 1;
      improve(ends, start, start + length, UNKNOWN, this.#unknownLogProbability);
    }
    return ends;
  }

  /** Tries all pieces that start at a position. */
  #followPieces(text: string, start: number, ends: BestEnds): void {
    let slot = ROOT;
    for (let at = start; at < text.length; at++) {
      slot = this.#slotOf(slot, text.charCodeAt(at));
      if (this.#parents[slot] === NONE) return;
      const piece = this.#pieces[slot]!;
      if (piece !== NONE) improve(ends, start, at + 1, piece, this.#logProbabilities[piece]!);
    }
  }

  /** The slot of a prefix, or the free slot for it (linear probing). */
  #slotOf(parent: number, codeUnit: number): number {
    // Odd multipliers with good mixing of the upper bits: from Fibonacci hashing and MurmurHash3.
    let slot = (Math.imul(parent, 0x9e_37_79_b1) ^ Math.imul(codeUnit, 0x85_eb_ca_6b)) >>> 13;
    while (
      this.#parents[slot] !== NONE &&
      (this.#parents[slot] !== parent || this.#codeUnits[slot] !== codeUnit)
    ) {
      slot = (slot + 1) % SLOTS;
    }
    return slot;
  }
}

/** By end of the prefix. */
interface BestEnds {
  /** Sums of log probabilities. */
  sums: Float64Array;
  /** Its last piece. */
  pieces: Int32Array;
  /** Start of the last piece. */
  starts: Int32Array;
}

function improve(ends: BestEnds, start: number, end: number, piece: number, logProbability: number): void {
  const sum = ends.sums[start]! + logProbability;
  if (sum <= ends.sums[end]!) return;
  ends.sums[end] = sum;
  ends.pieces[end] = piece;
  ends.starts[end] = start;
}

function readBack({ pieces, starts }: BestEnds): number[] {
  const found: number[] = [];
  for (let end = pieces.length - 1; end > 0; end = starts[end]!) found.push(pieces[end]!);
  return found.toReversed();
}
