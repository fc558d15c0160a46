import { describe, expect, test } from "bun:test";

import { paddedColumns, PLAIN_KERNELS } from "../../../../../src/intent/training/kernels/kernels.ts";
import { openArena } from "../../../../../src/intent/training/kernels/simd.ts";
import { seededRandom } from "../../../../../src/intent/training/random.ts";

const ROWS = 20;

describe.each([1, 16, 150, 200])(
  "with %d columns, the kernels of this machine agree with plain loops",
  (classes) => {
    const columns = paddedColumns(classes);
    const random = seededRandom(classes);
    const arena = openArena(2 * ROWS * columns + 4 * columns + 60, 8);
    const numbers = (length: number) => {
      const array = arena.floats(length);
      return array.map((_, i) => (array[i] = random() - 0.5)) && array;
    };
    const matrix = { cells: numbers(ROWS * columns), columns };
    const rows = arena.ints(6);
    rows.set([3, 0, 19, 7, 7, 1]);
    const values = numbers(6);
    const direction = numbers(columns);

    test("when they add up rows", () => {
      const sums = numbers(columns);
      const expected = sums.slice();
      arena.kernels.gather(matrix, rows, values, 1, 5, sums);
      PLAIN_KERNELS.gather(matrix, rows, values, 1, 5, expected);
      expectClose(sums, expected);
    });

    test("when they add to rows", () => {
      const expected = { cells: matrix.cells.slice(), columns };
      arena.kernels.scatter(matrix, rows, 1, 5, values, direction);
      PLAIN_KERNELS.scatter(expected, rows, 1, 5, values, direction);
      expectClose(matrix.cells, expected.cells);
    });

    test("when they multiply rows", () => {
      const products = numbers(ROWS);
      const expected = products.slice();
      arena.kernels.dots(matrix, ROWS, direction, products);
      PLAIN_KERNELS.dots(matrix, ROWS, direction, expected);
      expectClose(products, expected);
    });
  },
);

function expectClose(actual: Float32Array, expected: Float32Array): void {
  expect(actual.length).toBe(expected.length);
  const worst = actual.reduce((greatest, value, i) => Math.max(greatest, Math.abs(value - expected[i]!)), 0);
  expect(worst).toBeLessThan(1e-5);
}
