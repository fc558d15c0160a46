import { test as bunTest } from "bun:test";

import { isFirefox } from "./profiles.ts";

/** A test of a main journey, which runs in every browser. */
export const journey = bunTest;

/** Any other test of a file with journeys; not run in Firefox. */
export const test = bunTest.skipIf(isFirefox);
