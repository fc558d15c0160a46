import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { OnDemandWorker } from "../../../src/domain/worker.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "parley-worker-"))));
afterEach(() => rmSync(folder, { recursive: true }));

async function workerOf(code: string): Promise<OnDemandWorker<string, string>> {
  const file = join(folder, "worker.ts");
  await Bun.write(file, `declare var self: Worker;\n${code}`);
  return new OnDemandWorker(pathToFileURL(file), { failure: "shouting failed" });
}

/** Answers in capitals, never answers "wait", and fails at "fail". */
const SHOUTING = `self.onmessage = ({ data }) => {
  if (data === "fail") throw new Error("no voice");
  if (data !== "wait") postMessage(data.toUpperCase());
};`;

test("answers one request after another", async () => {
  using worker = await workerOf(SHOUTING);
  expect(await worker.ask("one")).toBe("ONE");
  expect(await worker.ask("two")).toBe("TWO");
});

test("a request that fails says why, and the next one gets a new worker", async () => {
  using worker = await workerOf(SHOUTING);
  await expect(worker.ask("fail")).rejects.toThrow(/^shouting failed: [\s\S]*no voice/);
  expect(await worker.ask("one")).toBe("ONE");
});

test("a request in progress ends with the reason when its worker is stopped, and the next one is answered", async () => {
  using worker = await workerOf(SHOUTING);
  const waiting = worker.ask("wait");
  worker.stop("it takes too long");
  await expect(waiting).rejects.toThrow("it takes too long");
  expect(await worker.ask("one")).toBe("ONE");
});

test("nobody waits for a worker that is closed", async () => {
  const worker = await workerOf(SHOUTING);
  const waiting = worker.ask("wait");
  worker[Symbol.dispose]();
  await expect(waiting).rejects.toThrow("shouting failed: its thread was closed");
});
