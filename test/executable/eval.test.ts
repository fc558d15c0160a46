import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { emptyFolder, runExecutable } from "../support/executable.ts";

const DATA = join(import.meta.dir, "../../data");
const SAMPLES = ["acme-orders", "acme-support", "city-kiosk", "riverside-clinic"];

let folder: string;
beforeEach(() => void (folder = emptyFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

test("the sample bots are reviewed when they are seeded, and pass their own tests", async () => {
  const seeded = await runExecutable(["seed", DATA, "--json"], { cwd: folder });
  const { bots } = JSON.parse(seeded.stdout) as { bots: { id: string; review: { judged: number } }[] };
  expect(bots.map(({ id }) => id)).toEqual(SAMPLES);
  for (const { review } of bots) expect(review.judged).toBeGreaterThan(20);
  for (const id of SAMPLES) {
    const { stdout } = await runExecutable(["eval", id, "--json"], { cwd: folder });
    const report = JSON.parse(stdout) as Record<string, number | null>;
    expect(report).toMatchObject({ tests: { failed: 0, failures: [] } });
    expect(report["inScopeAccuracy"]).toBeGreaterThan(0.7);
    // Null of the sample that denies no intent.
    expect(report["deniedRecall"] ?? 1).toBeGreaterThan(0.8);
  }
}, 300_000);

test("a file of utterances is measured from a pipe, and standard output holds JSON alone", async () => {
  await runExecutable(["seed", join(DATA, "acme-support.yaml"), "--no-review"], { cwd: folder });
  const stdin =
    '{"text": "where is my order", "intent": "orders.status"}\n{"text": "delete my account", "intent": "account.deletion"}\n';
  const { stdout, exitCode } = await runExecutable(["eval", "acme-support", "--utterances", "-", "--json"], {
    cwd: folder,
    stdin,
  });
  expect(JSON.parse(stdout)).toMatchObject({
    total: 2,
    inScopeAccuracy: 1,
    deniedRecall: 1,
    falseDenialRate: 0,
  });
  expect(exitCode).toBe(0);
}, 300_000);
