import { test as bunTest } from "bun:test";

import { isFirefox } from "./profiles.ts";

/** A test of a main journey: it runs in every browser. */
export const journey = bunTest;

/** Any other test of a file that has journeys: Firefox leaves it out. */
export const test = bunTest.skipIf(isFirefox);
