/** The smallest sizes that the kernel accepts. */
const SIZES = { hidden: 32, heads: 2, feedForward: 64, positions: 128, pieces: 6 };
const ALIGNMENT = 64;
const BYTES = { f32: 4, f16: 2, i8: 1, u8: 1 };

type TensorType = keyof typeof BYTES;

/** The bytes of an encoder with so many layers and meaningless weights; its vocabulary is `TINY_VOCABULARY`. */
export function tinyWeights(layers: number): Uint8Array {
  const { hidden, feedForward, positions, pieces } = SIZES;
  const tensors: { name: string; type: TensorType; shape: number[] }[] = [
    { name: "pieces.scale", type: "f16", shape: [pieces, hidden / 32] },
    { name: "pieces.nibbles", type: "u8", shape: [pieces, hidden / 2] },
    { name: "pieces.logprob", type: "f32", shape: [pieces] },
    { name: "position", type: "f32", shape: [positions, hidden] },
    ...norm("norm"),
    ...Array.from({ length: layers }, (_, layer) => [
      ...matrix(`${layer}.qkv`, 3 * hidden, hidden),
      ...matrix(`${layer}.out`, hidden, hidden),
      ...matrix(`${layer}.up`, feedForward, hidden),
      ...matrix(`${layer}.down`, hidden, feedForward),
      ...norm(`${layer}.attended`),
      ...norm(`${layer}.fed`),
    ]).flat(),
  ];
  let end = 0;
  const placed = tensors.map((tensor) => {
    const offset = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
    const length = tensor.shape.reduce((product, size) => product * size, 1);
    end = offset + length * BYTES[tensor.type];
    return { ...tensor, offset, length };
  });
  const places = placed.map(({ length: _, ...place }) => place);
  const head = { ...SIZES, layers, start: 0, pad: 1, end: 2, unknown: 3, epsilon: 1e-12, tensors: places };
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  const arrays = new Uint8Array(end);
  for (const { name, type, offset, length } of placed) {
    const value = (i: number) => Math.sin(1 + 7 * i + offset);
    if (type === "f32") new Float32Array(arrays.buffer, offset, length).set(floats(name, length, value));
    if (type === "f16") new Float16Array(arrays.buffer, offset, length).fill(0.1);
    if (type === "u8")
      arrays.set(
        Uint8Array.from({ length }, (_, i) => (i * 37) % 256),
        offset,
      );
    if (type === "i8") new Int8Array(arrays.buffer, offset, length).set(ints(length, value));
  }
  const file = new Uint8Array(8 + headBytes.length + arrays.length);
  file.set(new TextEncoder().encode("PENC"));
  new DataView(file.buffer).setUint32(4, headBytes.length, true);
  file.set(headBytes, 8);
  file.set(arrays, 8 + headBytes.length);
  return file;
}

export const TINY_VOCABULARY = "<s>\n<pad>\n</s>\n<unk>\n▁\na\n";

function norm(name: string): { name: string; type: TensorType; shape: number[] }[] {
  return ["scale", "bias"].map((of) => ({ name: `${name}.${of}`, type: "f32", shape: [SIZES.hidden] }));
}

function matrix(name: string, rows: number, columns: number) {
  return [
    { name: `${name}.weight`, type: "i8" as const, shape: [rows, columns] },
    { name: `${name}.scale`, type: "f32" as const, shape: [rows] },
    { name: `${name}.bias`, type: "f32" as const, shape: [rows] },
  ];
}

function floats(name: string, length: number, value: (i: number) => number): Float32Array {
  const factor = name.endsWith(".scale") && !/norm|attended|fed/.test(name) ? 0.01 : 1;
  return Float32Array.from({ length }, (_, i) => factor * (1 + 0.5 * value(i)));
}

function ints(length: number, value: (i: number) => number): Int8Array {
  return Int8Array.from({ length }, (_, i) => Math.round(100 * value(i)));
}
