import {
  eachLane,
  I32,
  increase,
  op,
  sequence,
  V128,
  type WasmFunction,
  type Code,
  whileBelow,
} from "./wasm.ts";

/** Bytes of a lane: four 4-byte numbers. */
const LANE_BYTES = 16;
/** Lanes that one turn of an inner loop works on. A wide one keeps eight sums in registers, of which the processor has sixteen. */
const WIDE = 8;
const NARROW = 4;

/** Locals of `gather`: its parameters in order, then its variables. `sums` is the first of `WIDE` lanes. */
const GATHER = {
  matrix: 0,
  stride: 1,
  rows: 2,
  rowsEnd: 3,
  values: 4,
  out: 5,
  column: 6,
  row: 7,
  value: 8,
  cell: 9,
  limit: 10,
  factor: 11,
  sums: 12,
} as const;

/**
 * gather(matrix, stride, rows, rowsEnd, values, out), all in bytes: out += Σ values[i] · matrix[rows[i]]. Goes over the columns in
 * blocks, and for each block over all rows, so that a block's sums stay in registers.
 */
export function gatherFunction(): WasmFunction {
  const { stride, column, limit } = GATHER;
  return {
    name: "gather",
    parameterCount: 6,
    locals: [I32, I32, I32, I32, I32, V128, ...lanesOf(WIDE)],
    body: sequence(
      op.get(stride),
      op.constant(-WIDE * LANE_BYTES),
      op.and,
      op.set(limit),
      whileBelow(column, limit, gatherBlock(WIDE)),
      whileBelow(column, stride, gatherBlock(NARROW)),
    ),
  };
}

/** One block of columns: loads its sums, adds all rows, stores them, and goes on to the next block. */
function gatherBlock(lanes: number): Code {
  const { rows, rowsEnd, values, out, column, row, value, sums } = GATHER;
  const outAddress = sequence(op.get(out), op.get(column), op.add);
  return sequence(
    eachLane(lanes, (l) => [outAddress, op.loadLanes(l * LANE_BYTES), op.set(sums + l)]),
    op.get(rows),
    op.set(row),
    op.get(values),
    op.set(value),
    whileBelow(row, rowsEnd, gatherRow(lanes)),
    eachLane(lanes, (l) => [outAddress, op.get(sums + l), op.storeLanes(l * LANE_BYTES)]),
    increase(column, op.constant(lanes * LANE_BYTES)),
  );
}

/** One row of a block: its cells times its value are added to the sums. */
function gatherRow(lanes: number): Code {
  const { matrix, stride, column, row, value, cell, factor, sums } = GATHER;
  return sequence(
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
}

/** scatter(matrix, stride, rows, rowsEnd, values, direction), all in bytes: matrix[rows[i]] += values[i] · direction. */
export function scatterFunction(): WasmFunction {
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

/** dots(matrix, stride, vector, out, outEnd), all in bytes: out[r] = matrix[r] · vector. */
export function dotsFunction(): WasmFunction {
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
