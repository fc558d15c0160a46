import { describe, expect, test } from "bun:test";

import { fuzz } from "../fuzz/fuzz.ts";
import { fuzzHttp } from "../fuzz/http.ts";
import { Report } from "../fuzz/report.ts";
import { readStores } from "../support/store-option.ts";

/** A short piece of `npm run fuzz`, the same each time. */
const SEED = 1;
const NONE = { seed: SEED, stores: [], requests: 0, botFiles: 0, texts: 0, commandLines: 0, seconds: 60 };

describe.each(readStores([]).stores)("on %s", (store) => {
  test("odd requests are answered without a 5xx, and the server stays up and small", async () => {
    const report = new Report();
    const batches = { seed: SEED, inputs: 300, until: Infinity };
    // One bot, which is trained quickly.
    await fuzzHttp(report, batches, () => {}, { store, samples: ["city-kiosk"] });
    expect(report.findings).toEqual([]);
    expect(report.serverErrors).toBe(0);
    expect(report.tried.get("requests")).toBe(300);
    for (const status of [200, 400, 401, 404, 412]) expect(report.statuses.get(status)).toBeGreaterThan(0);
  }, 120_000);
});

test("odd bot files, texts and command lines are refused in words", async () => {
  const report = await fuzz({ ...NONE, botFiles: 25, texts: 4000, commandLines: 150 }, () => {});
  expect(report.findings).toEqual([]);
  expect(Object.fromEntries(report.tried)).toEqual({ texts: 4000, "bot files": 25, "command lines": 150 });
}, 120_000);
