/** "PMI1", by which what is trained is told from other bytes. */
const MAGIC = 0x50_4d_49_31;
/**
 * The version of stored models; models of another version are trained again. Raised whenever the sections or the order of `SIGNALS`
 * change. What an encoder made goes by `ENCODER_VERSION`.
 */
export const MODEL_VERSION = 14;
/** Bytes of the widest numbers: arrays of them have to begin at a multiple. */
const ALIGNMENT = 8;
/** The magic number, the version and the number of sections. */
const HEADER_INTS = 3;

type Section = Uint8Array | Int8Array | Uint16Array | Int16Array | Int32Array | Float32Array | Float64Array;
type SectionType<T extends Section> = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => T;

/** Joins arrays to one, each aligned, behind a table of where each stands and how long it is. */
export function packSections(sections: readonly Section[]): Uint8Array<ArrayBuffer> {
  const tableBytes = aligned(4 * (HEADER_INTS + 2 * sections.length));
  const size = sections.reduce((sum, section) => sum + aligned(section.byteLength), tableBytes);
  const bytes = new Uint8Array(size);
  const header = new Int32Array(bytes.buffer, 0, HEADER_INTS + 2 * sections.length);
  header.set([MAGIC, MODEL_VERSION, sections.length]);
  let at = tableBytes;
  sections.forEach((section, i) => {
    header.set([at, section.byteLength], HEADER_INTS + 2 * i);
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), at);
    at += aligned(section.byteLength);
  });
  return bytes;
}

/** Reads packed sections one after another as views. Copies nothing, unless the bytes themselves stand unaligned. */
export class SectionReader {
  readonly #bytes: Uint8Array;
  readonly #header: Int32Array;
  #next = 0;

  /** @throws Error when the bytes are no intent model, or one of another version. */
  constructor(packed: Uint8Array) {
    this.#bytes = packed.byteOffset % ALIGNMENT === 0 ? packed : packed.slice();
    const { buffer, byteOffset, byteLength } = this.#bytes;
    this.#header = new Int32Array(buffer, byteOffset, Math.floor(byteLength / 4));
    const [magic, version] = this.#header;
    if (magic !== MAGIC) throw new Error("not an intent model");
    if (version !== MODEL_VERSION) {
      throw new Error(`intent model of version ${version}, expected ${MODEL_VERSION}: train it again`);
    }
  }

  read<T extends Section>(type: SectionType<T> & { BYTES_PER_ELEMENT: number }): T {
    if (this.#next >= (this.#header[2] ?? 0)) throw new Error("intent model ends early");
    const at = HEADER_INTS + 2 * this.#next++;
    const offset = this.#header[at]!;
    const length = this.#header[at + 1]!;
    // Neither number is there where the table itself is cut off.
    if (!(offset + length <= this.#bytes.byteLength)) throw new Error("intent model is cut off");
    return new type(this.#bytes.buffer, this.#bytes.byteOffset + offset, length / type.BYTES_PER_ELEMENT);
  }
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
