import type { Arena, Kernels } from "./kernels.ts";
import {
  assemble,
  eachLane,
  I32,
  increase,
  op,
  sequence,
  V128,
  type WasmFunction,
  whileBelow,
} from "./wasm.ts";

const PAGE_BYTES = 65_536;
/** Keeps every array on its own cache lines. */
const ALIGNMENT = 64;
const LANE_BYTES = 16;
/** Lanes of four numbers that one inner loop keeps in registers. */
const WIDE = 8;
const NARROW = 4;

/** gather(matrix, stride, rows, rowsEnd, values, out): per block of columns, all rows, so that sums stay in registers. */
function gatherFunction(): WasmFunction {
  const [matrix, stride, rows, rowsEnd, values, out] = [0, 1, 2, 3, 4, 5];
  const [column, row, value, cell, limit, factor, sums] = [6, 7, 8, 9, 10, 11, 12];
  const outAddress = sequence(op.get(out), op.get(column), op.add);
  const addRow = (lanes: number) =>
    sequence(
      op.get(row),
      op.loadInt(0),
      op.get(stride),
      op.multiply,
      op.get(matrix),
      op.add,
      op.get(column),
      op.add,
      op.set(cell),
      op.get(value),
      op.loadSplat(0),
      op.set(factor),
      eachLane(lanes, (l) => [
        op.get(cell),
        op.loadLanes(l * LANE_BYTES),
        op.get(factor),
        op.multiplyLanes,
        op.get(sums + l),
        op.addLanes,
        op.set(sums + l),
      ]),
      increase(row, op.constant(4)),
      increase(value, op.constant(4)),
    );
  const block = (lanes: number) =>
    sequence(
      eachLane(lanes, (l) => [outAddress, op.loadLanes(l * LANE_BYTES), op.set(sums + l)]),
      op.get(rows),
      op.set(row),
      op.get(values),
      op.set(value),
      whileBelow(row, rowsEnd, addRow(lanes)),
      eachLane(lanes, (l) => [outAddress, op.get(sums + l), op.storeLanes(l * LANE_BYTES)]),
      increase(column, op.constant(lanes * LANE_BYTES)),
    );
  return {
    name: "gather",
    parameterCount: 6,
    locals: [I32, I32, I32, I32, I32, V128, ...lanesOf(WIDE)],
    body: sequence(
      op.get(stride),
      op.constant(-WIDE * LANE_BYTES),
      op.and,
      op.set(limit),
      whileBelow(column, limit, block(WIDE)),
      whileBelow(column, stride, block(NARROW)),
    ),
  };
}

/** scatter(matrix, stride, rows, rowsEnd, values, direction) */
function scatterFunction(): WasmFunction {
  const [matrix, stride, rows, rowsEnd, values, direction] = [0, 1, 2, 3, 4, 5];
  const [cell, cellEnd, from, factor] = [6, 7, 8, 9];
  const addToCells = sequence(
    eachLane(NARROW, (l) => [
      op.get(cell),
      op.get(cell),
      op.loadLanes(l * LANE_BYTES),
      op.get(from),
      op.loadLanes(l * LANE_BYTES),
      op.get(factor),
      op.multiplyLanes,
      op.addLanes,
      op.storeLanes(l * LANE_BYTES),
    ]),
    increase(cell, op.constant(NARROW * LANE_BYTES)),
    increase(from, op.constant(NARROW * LANE_BYTES)),
  );
  const addToRow = sequence(
    op.get(rows),
    op.loadInt(0),
    op.get(stride),
    op.multiply,
    op.get(matrix),
    op.add,
    op.set(cell),
    op.get(cell),
    op.get(stride),
    op.add,
    op.set(cellEnd),
    op.get(direction),
    op.set(from),
    op.get(values),
    op.loadSplat(0),
    op.set(factor),
    whileBelow(cell, cellEnd, addToCells),
    increase(rows, op.constant(4)),
    increase(values, op.constant(4)),
  );
  return {
    name: "scatter",
    parameterCount: 6,
    locals: [I32, I32, I32, V128],
    body: whileBelow(rows, rowsEnd, addToRow),
  };
}

/** dots(matrix, stride, vector, out, outEnd) */
function dotsFunction(): WasmFunction {
  const [matrix, stride, vector, out, outEnd] = [0, 1, 2, 3, 4];
  const [rowEnd, at, sums] = [5, 6, 7];
  const addProducts = sequence(
    eachLane(NARROW, (l) => [
      op.get(matrix),
      op.loadLanes(l * LANE_BYTES),
      op.get(at),
      op.loadLanes(l * LANE_BYTES),
      op.multiplyLanes,
      op.get(sums + l),
      op.addLanes,
      op.set(sums + l),
    ]),
    increase(matrix, op.constant(NARROW * LANE_BYTES)),
    increase(at, op.constant(NARROW * LANE_BYTES)),
  );
  const storeSum = sequence(
    op.get(sums),
    eachLane(NARROW - 1, (l) => [op.get(sums + l + 1), op.addLanes]),
    op.set(sums),
    op.get(out),
    op.get(sums),
    op.lane(0),
    eachLane(NARROW - 1, (l) => [op.get(sums), op.lane(l + 1), op.addFloat]),
    op.storeFloat(0),
  );
  const dotRow = sequence(
    op.get(matrix),
    op.get(stride),
    op.add,
    op.set(rowEnd),
    op.get(vector),
    op.set(at),
    eachLane(NARROW, (l) => [op.zeroLanes, op.set(sums + l)]),
    whileBelow(matrix, rowEnd, addProducts),
    storeSum,
    increase(out, op.constant(4)),
  );
  return {
    name: "dots",
    parameterCount: 5,
    locals: [I32, I32, ...lanesOf(NARROW)],
    body: whileBelow(out, outEnd, dotRow),
  };
}

function lanesOf(count: number): number[] {
  return Array.from({ length: count }, () => V128);
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
