import { describe, test } from "bun:test";

/** The step `axe` runs the rest of axe's matrix, which takes minutes and is left out in the step `browser`. */
const isRest = process.env["AXE_MATRIX"] === "rest";

/** A part of the matrix: the usual parts run with all other tests, the others in the step `axe`. */
export const describePart = (isUsual: boolean) => describe.skipIf(isUsual === isRest);

/** A test that does not belong to the matrix. */
export const usualTest = test.skipIf(isRest);
