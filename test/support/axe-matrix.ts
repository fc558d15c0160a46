import { describe, test } from "bun:test";

/** The step `axe` runs what the step `browser` leaves of axe's matrix, which takes minutes. */
const isRest = process.env["AXE_MATRIX"] === "rest";

/** A part of the matrix: a usual one runs with all other tests, another in the step `axe`. */
export const describePart = (isUsual: boolean) => describe.skipIf(isUsual === isRest);

/** A test that is no part of the matrix. */
export const usualTest = test.skipIf(isRest);
