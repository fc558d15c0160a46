import { zstdCompressSync } from "node:zlib";

import { ModelServer } from "../../../src/model/model-server.ts";
import { sendsBomb, startModelServer } from "../model-server.ts";

export interface ModelBombFindings {
  outcome: string;
  /** Largest growth of the process's memory, in bytes. */
  grownBytes: number;
}

const LARGE = Buffer.alloc(256 * 1024 * 1024, " ");

/** Asks for a completion that is a bomb: eight frames of 256 MB each. */
async function completeWithBomb(): Promise<ModelBombFindings> {
  await using mock = await startModelServer();
  const frame = zstdCompressSync(LARGE);
  mock.replyWith(sendsBomb("zstd", Buffer.concat(Array.from({ length: 8 }, () => frame))));
  const settings = { baseUrl: mock.baseUrl, model: "tiny", timeoutMs: 600_000 };
  const world = { now: Date.now, random: () => 0, sleep: async () => {} };
  const server = new ModelServer("local", settings, undefined, world);
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  const request = { messages: [{ role: "user" as const, content: "hi" }], maxTokens: 64 };
  const { outcome } = await server.complete(request, { signal: new AbortController().signal });
  await Bun.sleep(300);
  clearInterval(timer);
  return { outcome, grownBytes: most - before };
}

if (import.meta.main) console.log(JSON.stringify(await completeWithBomb()));
