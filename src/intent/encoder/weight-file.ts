/** What stands first in the file. */
const MAGIC = "PENC";
/** The magic letters, and the length of the head. */
const PREFIX_BYTES = 8;

/** The sizes of a network, as its file names them. */
export interface NetworkSizes {
  /** Numbers of a piece within the network, and of what it makes of a text. */
  hidden: number;
  layers: number;
  heads: number;
  feedForward: number;
  /** Pieces that a text may have at most. */
  positions: number;
  /** In the vocabulary. */
  pieces: number;
  /** The numbers of the pieces that begin and end a text, and of the unknown one. */
  start: number;
  end: number;
  unknown: number;
  /** Of layer normalisation. */
  epsilon: number;
}

type TensorType = "f32" | "f16" | "i8" | "u8";
const ELEMENT_BYTES: Readonly<Record<TensorType, number>> = { f32: 4, f16: 2, i8: 1, u8: 1 };

/** An array of the file. */
interface Tensor {
  name: string;
  type: TensorType;
  shape: readonly number[];
  /** In bytes, from the end of the head; a multiple of 64. */
  offset: number;
}

interface Head extends NetworkSizes {
  tensors: readonly Tensor[];
}

/** Arrays of pieces have names that begin so. They are read a piece at a time; the other arrays are read whole for every text. */
const OF_PIECES = "pieces.";

/**
 * An encoder's weights: "PENC", the length of a head (32 bits, little-endian), the head as JSON (`NetworkSizes`, and each array's name, type,
 * shape and place), and the arrays.
 */
export class WeightFile {
  readonly sizes: NetworkSizes;
  /** Where all arrays but those of pieces stand in one stretch, as an offset of the file's arrays. */
  readonly #layersFrom: number;
  #layers: Uint8Array | undefined;
  readonly #pieceBytes: ArrayBuffer;
  readonly #tensors: ReadonlyMap<string, Tensor>;

  /** @throws Error when the bytes are no weights. */
  constructor(bytes: Uint8Array) {
    const { head, arrays } = readHead(bytes);
    const { tensors, ...sizes } = head;
    this.sizes = sizes;
    this.#tensors = new Map(tensors.map((tensor) => [tensor.name, tensor]));
    const ends = tensors.map((tensor) => tensor.offset + bytesOf(tensor));
    if (Math.max(...ends) > arrays.length) throw new Error("an encoder's weights are cut off");
    const ofLayers = tensors.filter(({ name }) => !name.startsWith(OF_PIECES));
    this.#layersFrom = Math.min(...ofLayers.map(({ offset }) => offset));
    if (tensors.some(({ name, offset }) => name.startsWith(OF_PIECES) && offset > this.#layersFrom))
      throw new Error("an encoder's pieces stand behind its layers");
    this.#layers = arrays.subarray(this.#layersFrom);
    // A copy of its own, so that what the file was read into is let go once the layers are taken.
    this.#pieceBytes = new Uint8Array(arrays.subarray(0, this.#layersFrom)).buffer;
  }

  /** The bytes of all arrays but those of pieces, which are the caller's from then on. @throws Error when they were taken before. */
  takeLayers(): Uint8Array {
    const layers = this.#layers;
    if (layers === undefined) throw new Error("an encoder's layers were taken before");
    this.#layers = undefined;
    return layers;
  }

  /** Where an array that is not of pieces begins within the layers. */
  offsetOf(name: string): number {
    return this.#tensor(name).offset - this.#layersFrom;
  }

  /** For each piece, the logarithm of its probability. */
  get logProbabilities(): Float32Array {
    return this.#pieceArray("pieces.logprob", Float32Array);
  }

  /** For each piece, a scale for each 32 of its numbers. */
  get pieceScales(): Float16Array {
    return this.#pieceArray("pieces.scale", Float16Array);
  }

  /** For each piece, 32 numbers of 4 bits in 16 bytes: byte j has element j in its low half and element j + 16 in its high half. */
  get pieceNibbles(): Uint8Array {
    return this.#pieceArray("pieces.nibbles", Uint8Array);
  }

  #pieceArray<T>(name: string, type: new (buffer: ArrayBuffer, offset: number, length: number) => T): T {
    const { offset, shape } = this.#tensor(name);
    return new type(this.#pieceBytes, offset, lengthOf(shape));
  }

  #tensor(name: string): Tensor {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw new Error(`an encoder's weights lack ${name}`);
    return tensor;
  }
}

function readHead(bytes: Uint8Array): { head: Head; arrays: Uint8Array } {
  const text = new TextDecoder();
  if (text.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) throw new Error("not an encoder's weights");
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length, true);
  const arrays = bytes.subarray(PREFIX_BYTES + length);
  return {
    head: JSON.parse(text.decode(bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + length))) as Head,
    arrays,
  };
}

function bytesOf({ type, shape }: Tensor): number {
  return ELEMENT_BYTES[type] * lengthOf(shape);
}

function lengthOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
