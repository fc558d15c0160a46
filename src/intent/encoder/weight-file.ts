/** The first bytes of the file. */
const MAGIC = "PENC";
/** Length of the magic letters and the header's length field. */
const PREFIX_BYTES = 8;

/** The sizes of a network, as its file names them. */
export interface NetworkSizes {
  /** Dimensions of a piece within the network, and of a text's vector. */
  hidden: number;
  layers: number;
  heads: number;
  feedForward: number;
  /** Maximum number of pieces of a text. */
  positions: number;
  /** In the vocabulary. */
  pieces: number;
  /** Numbers of the pieces for start, end and unknown. */
  start: number;
  end: number;
  unknown: number;
  /** Of layer normalisation. */
  epsilon: number;
}

type TensorType = "f32" | "f16" | "i8" | "u8";
const ELEMENT_BYTES: Readonly<Record<TensorType, number>> = { f32: 4, f16: 2, i8: 1, u8: 1 };

/** An array in the file. */
interface Tensor {
  name: string;
  type: TensorType;
  shape: readonly number[];
  /** In bytes from the end of the header; a multiple of 64. */
  offset: number;
}

interface Head extends NetworkSizes {
  tensors: readonly Tensor[];
}

/** Name prefix of arrays with one row per piece. They are read row by row; other arrays are read completely for every text. */
const OF_PIECES = "pieces.";

/**
 * An encoder's weights: "PENC", the length of the header (32 bits, little-endian), the header as JSON (`NetworkSizes`, and name, type,
 * shape and offset of each array), and the arrays.
 */
export class WeightFile {
  readonly sizes: NetworkSizes;
  /** Start of the arrays that have no row per piece; they are contiguous. */
  readonly #layersFrom: number;
  #layers: Uint8Array | undefined;
  readonly #pieceBytes: ArrayBuffer;
  readonly #tensors: ReadonlyMap<string, Tensor>;

  /** @throws Error if the bytes are no weights. */
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
    // A copy, so that the file's buffer can be freed after the layers are taken.
    this.#pieceBytes = new Uint8Array(arrays.subarray(0, this.#layersFrom)).buffer;
  }

  /** Hands over the bytes of all arrays without rows per piece. @throws Error if they were taken before. */
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

  /** Log probability of each piece. */
  get logProbabilities(): Float32Array {
    return this.#pieceArray("pieces.logprob", Float32Array);
  }

  /** For each piece, one scale per 32 dimensions. */
  get pieceScales(): Float16Array {
    return this.#pieceArray("pieces.scale", Float16Array);
  }

  /**
   * For each piece and 32 dimensions, 4-bit values in 16 bytes: byte j has element j in its low half and element j + 16 in its high half.
   */
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
