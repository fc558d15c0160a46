import {
  MATRIX_PLACES,
  type MatrixName,
  MOST_PIECES,
  PIECE_WIDTH,
  SENTENCE_WIDTH,
} from "../../../../src/intent/encoder/layout.ts";

const HEADS = 4;
const NORM_EPSILON = 1e-6;

type LayerName = Exclude<MatrixName, "embedding">;
type Weights = ReadonlyMap<string, Float32Array>;

/** Called with the inputs of each product: a row for each piece. */
export type Observe = (name: LayerName, inputs: Float32Array) => void;

/**
 * The network of the sentence encoder in plain loops and float32, fifteen times as slow. Shows what the quick one has to compute, and lets
 * one see what goes into each product.
 */
export class PlainNetwork {
  readonly #weights: Weights;
  readonly #observe: Observe;

  /** @param weights as `readOriginal` returns them. */
  constructor(weights: Weights, observe: Observe = () => {}) {
    this.#weights = weights;
    this.#observe = observe;
  }

  run(pieces: readonly number[]): Float32Array {
    const embedded = this.#embed(pieces.slice(0, MOST_PIECES));
    const sum = this.#multiply("widen", embedded);
    this.#attend(0, embedded, sum);
    this.#feedForward(0, sum);
    this.#attend(1, sum, sum);
    this.#feedForward(1, sum);
    const vector = this.#multiply("final", meanOfRows(sum, SENTENCE_WIDTH)).map(Math.tanh);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }

  #embed(pieces: readonly number[]): Float32Array {
    const embedding = this.#weights.get("embedding")!;
    const frequencies = this.#weights.get("frequencies")!;
    const embedded = new Float32Array(pieces.length * PIECE_WIDTH);
    pieces.forEach((piece, t) => {
      for (let d = 0; d < PIECE_WIDTH; d++) {
        const isSine = d < frequencies.length;
        const angle = t * frequencies[isSine ? d : d - frequencies.length]!;
        const timing = isSine ? Math.sin(angle) : Math.cos(angle);
        embedded[t * PIECE_WIDTH + d] = 2 * embedding[piece * PIECE_WIDTH + d]! + timing;
      }
    });
    return embedded;
  }

  #attend(layer: 0 | 1, inputs: Float32Array, sum: Float32Array): void {
    const states = this.#multiply(`attention${layer}`, this.#normalise(`attention${layer}`, inputs));
    const attended = selfAttention(states, MATRIX_PLACES[`attention${layer}`].columns);
    addTo(sum, this.#multiply(`merge${layer}`, attended));
  }

  #feedForward(layer: 0 | 1, sum: Float32Array): void {
    const inner = this.#multiply(`inner${layer}`, this.#normalise(`inner${layer}`, sum));
    const rectified = inner.map((value) => Math.max(0, value));
    addTo(sum, this.#multiply(`outer${layer}`, rectified));
  }

  #normalise(name: "attention0" | "attention1" | "inner0" | "inner1", inputs: Float32Array): Float32Array {
    const width = MATRIX_PLACES[name].columns;
    const [scale, shift] = [this.#weights.get(`${name}Scale`)!, this.#weights.get(`${name}Shift`)!];
    const outputs = new Float32Array(inputs.length);
    for (let at = 0; at < inputs.length; at += width) {
      const row = inputs.subarray(at, at + width);
      const mean = row.reduce((total, value) => total + value, 0) / width;
      const variance = row.reduce((total, value) => total + (value - mean) ** 2, 0) / width;
      const factor = 1 / Math.sqrt(variance + NORM_EPSILON);
      outputs.set(
        row.map((value, d) => (value - mean) * factor * scale[d]! + shift[d]!),
        at,
      );
    }
    return outputs;
  }

  #multiply(name: LayerName, inputs: Float32Array): Float32Array {
    this.#observe(name, inputs);
    const { rows, columns } = MATRIX_PLACES[name];
    const [weights, biases] = [this.#weights.get(name)!, this.#weights.get(`${name}Bias`)!];
    const count = inputs.length / columns;
    const outputs = new Float32Array(count * rows);
    for (let t = 0; t < count; t++) {
      const sums = Float64Array.from(biases);
      for (let k = 0; k < columns; k++) {
        const input = inputs[t * columns + k]!;
        if (input === 0) continue;
        for (let n = 0; n < rows; n++) sums[n]! += input * weights[k * rows + n]!;
      }
      outputs.set(sums, t * rows);
    }
    return outputs;
  }
}

/** A row holds queries, keys and values, `width` numbers each. */
function selfAttention(states: Float32Array, width: number): Float32Array {
  const [count, size, stride] = [states.length / (3 * width), width / HEADS, 3 * width];
  const outputs = new Float32Array(count * width);
  const part = (t: number, kind: 0 | 1 | 2, head: number) => {
    const from = t * stride + kind * width + head * size;
    return states.subarray(from, from + size);
  };
  for (let head = 0; head < HEADS; head++) {
    for (let t = 0; t < count; t++) {
      const query = part(t, 0, head);
      const logits = Array.from({ length: count }, (_, u) => dot(query, part(u, 1, head)) / Math.sqrt(size));
      const output = outputs.subarray(t * width + head * size, t * width + (head + 1) * size);
      softmax(logits).forEach((weight, u) => addTo(output, part(u, 2, head), weight));
    }
  }
  return outputs;
}

function softmax(logits: readonly number[]): number[] {
  const greatest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - greatest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, i) => sum + value * other[i]!, 0);
}

function addTo(sum: Float32Array, values: Float32Array, factor = 1): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += factor * values[i]!;
}

export function meanOfRows(rows: Float32Array, width: number): Float32Array {
  const mean = new Float64Array(width);
  rows.forEach((value, i) => (mean[i % width]! += (value * width) / rows.length));
  return Float32Array.from(mean);
}
