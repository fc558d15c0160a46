/** Stands for a blank, and before the first word. */
const BLANK = "▁";
/** What no piece matches. */
const UNKNOWN = 0;
/** Those before it stand for the unknown and for ends of sentences; no text is split into them. */
const FIRST_MATCHED = 6;
/** Slots of the table of children: 21,000 of them are taken. */
const SLOTS = 65_536;
const NONE = -1;
const CODE_POINTS = 0x11_00_00;

/**
 * Splits texts into the pieces that the sentence encoder knows, so that the sum of the pieces' scores (logarithms of their probabilities)
 * is greatest: the unigram model of Kudo 2018, found by Viterbi's algorithm. The original's peculiarities are kept, so that the network gets
 * what it gets there: an unknown character costs nothing, nor does a piece without a score (":", "://"); of two ways that are alike the one
 * whose last piece is shorter wins; and a way that costs nothing gives way to any other.
 */
export class PieceSplitter {
  readonly #scores: ArrayLike<number>;
  /** By slot: the parent and the character that lead to a node, the node, and the piece that ends there. */
  readonly #steps = new Float64Array(SLOTS).fill(NONE);
  readonly #nodes = new Int32Array(SLOTS);
  readonly #pieces = new Int32Array(SLOTS).fill(NONE);

  constructor(pieces: readonly string[], scores: ArrayLike<number>) {
    this.#scores = scores;
    let nodes = 1;
    for (let piece = FIRST_MATCHED; piece < pieces.length; piece++) {
      let slot = NONE;
      for (const character of pieces[piece]!) {
        const parent = slot === NONE ? 0 : this.#nodes[slot]!;
        slot = this.#slotOf(parent, character.codePointAt(0)!);
        if (this.#nodes[slot] !== 0) continue;
        this.#steps[slot] = stepOf(parent, character.codePointAt(0)!);
        this.#nodes[slot] = nodes++;
      }
      this.#pieces[slot] = piece;
    }
  }

  /** The numbers of the pieces, in order. */
  split(text: string): number[] {
    if (text === "") return [];
    const spelt = BLANK + text.normalize("NFKC").replaceAll(" ", BLANK);
    const characters = Uint32Array.from(spelt, (character) => character.codePointAt(0)!);
    return readBack(this.#findBestEnds(characters));
  }

  /** For each end of a text's beginning, the last piece on the best way there. */
  #findBestEnds(characters: Uint32Array): BestEnds {
    const count = characters.length;
    const ends: BestEnds = {
      scores: new Float64Array(count + 1),
      pieces: new Int32Array(count + 1).fill(UNKNOWN),
      starts: Int32Array.from({ length: count + 1 }, (_, end) => end - 1),
    };
    for (let start = 0; start < count; start++) {
      if (!this.#followPieces(characters, start, ends)) improve(ends, start, start + 1, UNKNOWN, 0);
    }
    return ends;
  }

  /** All pieces that begin there; returns whether there are any. */
  #followPieces(characters: Uint32Array, start: number, ends: BestEnds): boolean {
    let [node, isAny] = [0, false];
    for (let at = start; at < characters.length; at++) {
      const slot = this.#slotOf(node, characters[at]!);
      node = this.#nodes[slot]!;
      if (node === 0) break;
      const piece = this.#pieces[slot]!;
      if (piece === NONE) continue;
      isAny = true;
      improve(ends, start, at + 1, piece, this.#scores[piece]!);
    }
    return isAny;
  }

  /** Where a child stands, or could (linear probing). */
  #slotOf(parent: number, character: number): number {
    const step = stepOf(parent, character);
    // Odd multipliers whose upper bits mix well: of Fibonacci hashing, and of MurmurHash3.
    let slot = (Math.imul(parent, 0x9e_37_79_b1) ^ Math.imul(character, 0x85_eb_ca_6b)) >>> 16;
    while (this.#nodes[slot] !== 0 && this.#steps[slot] !== step) slot = (slot + 1) % SLOTS;
    return slot;
  }
}

/** By where a beginning of the text ends. */
interface BestEnds {
  scores: Float64Array;
  /** Its last piece. */
  pieces: Int32Array;
  /** Where that begins. */
  starts: Int32Array;
}

function stepOf(parent: number, character: number): number {
  return parent * CODE_POINTS + character;
}

function improve(ends: BestEnds, start: number, end: number, piece: number, pieceScore: number): void {
  const score = ends.scores[start]! + pieceScore;
  if (ends.scores[end] !== 0 && score < ends.scores[end]!) return;
  ends.scores[end] = score;
  ends.pieces[end] = piece;
  ends.starts[end] = start;
}

/** Unknown characters that follow one another are one piece. */
function readBack({ pieces, starts }: BestEnds): number[] {
  const found: number[] = [];
  for (let end = pieces.length - 1; end > 0; end = starts[end]!) {
    const piece = pieces[end]!;
    if (piece !== UNKNOWN || found.at(-1) !== UNKNOWN) found.push(piece);
  }
  return found.toReversed();
}
