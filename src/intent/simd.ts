import type { Arena, Kernels } from "./kernels.ts";
import { assemble, type Code, I32, increase, op, V128, type WasmFunction, whileBelow } from "./wasm.ts";

const PAGE_BYTES = 65_536;
/** Keeps every array on its own cache lines. */
const ALIGNMENT = 64;
const LANE_BYTES = 16;
/** Lanes of four numbers that one inner loop keeps in registers. */
const WIDE = 8;
const NARROW = 4;

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** gather(matrix, stride, rows, rowsEnd, values, out): per block of columns, all rows, so that sums stay in registers. */
function gatherFunction(): WasmFunction {
  const [matrix, stride, rows, rowsEnd, values, out] = [0, 1, 2, 3, 4, 5];
  const [column, row, value, cell, limit] = [6, 7, 8, 9, 10];
  const factor = 11;
  const sum = (lane: number) => 12 + lane;
  const block = (lanes: number): Code => {
    const sums = range(lanes);
    const address = [...op.get(out), ...op.get(column), ...op.add];
    return [
      ...sums.flatMap((l) => [...address, ...op.loadLanes(l * LANE_BYTES), ...op.set(sum(l))]),
      ...[...op.get(rows), ...op.set(row), ...op.get(values), ...op.set(value)],
      ...whileBelow(row, rowsEnd, [
        ...[
          ...op.get(row),
          ...op.loadInt(0),
          ...op.get(stride),
          ...op.multiply,
          ...op.get(matrix),
          ...op.add,
        ],
        ...[...op.get(column), ...op.add, ...op.set(cell)],
        ...[...op.get(value), ...op.loadSplat(0), ...op.set(factor)],
        ...sums.flatMap((l) => [
          ...[...op.get(cell), ...op.loadLanes(l * LANE_BYTES), ...op.get(factor), ...op.multiplyLanes],
          ...[...op.get(sum(l)), ...op.addLanes, ...op.set(sum(l))],
        ]),
        ...[...increase(row, op.constant(4)), ...increase(value, op.constant(4))],
      ]),
      ...sums.flatMap((l) => [...address, ...op.get(sum(l)), ...op.storeLanes(l * LANE_BYTES)]),
      ...increase(column, op.constant(lanes * LANE_BYTES)),
    ];
  };
  return {
    name: "gather",
    parameterCount: 6,
    locals: [I32, I32, I32, I32, I32, V128, ...range(WIDE).map(() => V128)],
    body: [
      // The greatest multiple of a wide block first, the rest in narrow ones.
      ...[...op.get(stride), ...op.constant(-WIDE * LANE_BYTES), 0x71, ...op.set(limit)],
      ...whileBelow(column, limit, block(WIDE)),
      ...whileBelow(column, stride, block(NARROW)),
    ],
  };
}

/** scatter(matrix, stride, rows, rowsEnd, values, direction) */
function scatterFunction(): WasmFunction {
  const [matrix, stride, rows, rowsEnd, values, direction] = [0, 1, 2, 3, 4, 5];
  const [cell, cellEnd, from, factor] = [6, 7, 8, 9];
  return {
    name: "scatter",
    parameterCount: 6,
    locals: [I32, I32, I32, V128],
    body: whileBelow(rows, rowsEnd, [
      ...[
        ...op.get(rows),
        ...op.loadInt(0),
        ...op.get(stride),
        ...op.multiply,
        ...op.get(matrix),
        ...op.add,
        ...op.set(cell),
      ],
      ...[
        ...op.get(cell),
        ...op.get(stride),
        ...op.add,
        ...op.set(cellEnd),
        ...op.get(direction),
        ...op.set(from),
      ],
      ...[...op.get(values), ...op.loadSplat(0), ...op.set(factor)],
      ...whileBelow(cell, cellEnd, [
        ...range(NARROW).flatMap((l) => [
          ...[...op.get(cell), ...op.get(cell), ...op.loadLanes(l * LANE_BYTES)],
          ...[...op.get(from), ...op.loadLanes(l * LANE_BYTES), ...op.get(factor), ...op.multiplyLanes],
          ...[...op.addLanes, ...op.storeLanes(l * LANE_BYTES)],
        ]),
        ...increase(cell, op.constant(NARROW * LANE_BYTES)),
        ...increase(from, op.constant(NARROW * LANE_BYTES)),
      ]),
      ...[...increase(rows, op.constant(4)), ...increase(values, op.constant(4))],
    ]),
  };
}

/** dots(matrix, stride, vector, out, outEnd) */
function dotsFunction(): WasmFunction {
  const [matrix, stride, vector, out, outEnd] = [0, 1, 2, 3, 4];
  const [rowEnd, at] = [5, 6];
  const sum = (lane: number) => 7 + lane;
  const lanes = range(NARROW);
  return {
    name: "dots",
    parameterCount: 5,
    locals: [I32, I32, ...lanes.map(() => V128)],
    body: whileBelow(out, outEnd, [
      ...[
        ...op.get(matrix),
        ...op.get(stride),
        ...op.add,
        ...op.set(rowEnd),
        ...op.get(vector),
        ...op.set(at),
      ],
      ...lanes.flatMap((l) => [...op.zeroLanes, ...op.set(sum(l))]),
      ...whileBelow(matrix, rowEnd, [
        ...lanes.flatMap((l) => [
          ...[
            ...op.get(matrix),
            ...op.loadLanes(l * LANE_BYTES),
            ...op.get(at),
            ...op.loadLanes(l * LANE_BYTES),
          ],
          ...[...op.multiplyLanes, ...op.get(sum(l)), ...op.addLanes, ...op.set(sum(l))],
        ]),
        ...increase(matrix, op.constant(NARROW * LANE_BYTES)),
        ...increase(at, op.constant(NARROW * LANE_BYTES)),
      ]),
      ...[...op.get(sum(0)), ...op.get(sum(1)), ...op.addLanes, ...op.get(sum(2)), ...op.addLanes],
      ...[...op.get(sum(3)), ...op.addLanes, ...op.set(sum(0)), ...op.get(out)],
      ...lanes.flatMap((l) => [...op.get(sum(0)), ...op.lane(l), ...(l === 0 ? [] : op.addFloat)]),
      ...op.storeFloat(0),
      ...increase(out, op.constant(4)),
    ]),
  };
}

interface SimdExports {
  gather(matrix: number, stride: number, rows: number, rowsEnd: number, values: number, out: number): void;
  scatter(
    matrix: number,
    stride: number,
    rows: number,
    rowsEnd: number,
    values: number,
    direction: number,
  ): void;
  dots(matrix: number, stride: number, vector: number, out: number, outEnd: number): void;
}

function kernelsOf(simd: SimdExports): Kernels {
  return {
    gather({ cells, columns }, rows, values, from, to, out) {
      const start = rows.byteOffset + 4 * from;
      const valueStart = values.byteOffset + 4 * from;
      simd.gather(cells.byteOffset, 4 * columns, start, start + 4 * (to - from), valueStart, out.byteOffset);
    },
    scatter({ cells, columns }, rows, from, to, values, direction) {
      const start = rows.byteOffset + 4 * from;
      const end = start + 4 * (to - from);
      simd.scatter(cells.byteOffset, 4 * columns, start, end, values.byteOffset, direction.byteOffset);
    },
    dots({ cells, columns }, count, vector, out) {
      simd.dots(cells.byteOffset, 4 * columns, vector.byteOffset, out.byteOffset, out.byteOffset + 4 * count);
    },
  };
}

/** An arena in WebAssembly memory; absent where the processor or the runtime has no SIMD. */
export function instantiateSimd(bytes: number): Arena | undefined {
  const pages = Math.ceil(bytes / PAGE_BYTES) + 1;
  const binary = assemble([gatherFunction(), scatterFunction(), dotsFunction()], pages);
  if (!WebAssembly.validate(binary)) return undefined;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary), { env: { memory } });
  let used = 0;
  const claim = (length: number) => {
    const at = used;
    used += Math.ceil((4 * length) / ALIGNMENT) * ALIGNMENT;
    return at;
  };
  return {
    kernels: kernelsOf(exports as unknown as SimdExports),
    floats: (length) => new Float32Array(memory.buffer, claim(length), length),
    ints: (length) => new Int32Array(memory.buffer, claim(length), length),
  };
}
