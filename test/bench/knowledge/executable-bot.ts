import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { ChatResponse } from "../../../src/domain/chat.ts";
import {
  emptyFolder,
  runExecutable,
  serveExecutable,
  type ServingExecutable,
} from "../../support/executable.ts";

const BOT = "help";

/** A bot with documents only, served by the executable. */
export interface ServedDocuments extends AsyncDisposable {
  server: ServingExecutable;
  /** The output of `seed`, and its time. */
  seeded: string;
  seedSeconds: number;
  /** Sends the first message of a conversation. @returns the answer, and its milliseconds. */
  ask(input: string): Promise<{ answer: ChatResponse; milliseconds: number; requestId: string }>;
  /** Runs a command on the same data. @returns its output. */
  run(...args: string[]): Promise<string>;
}

/** @param documents by their paths. */
export async function serveDocuments(
  documents: Iterable<{ path: string; text: string }>,
): Promise<ServedDocuments> {
  const folder = emptyFolder();
  for (const { path, text } of documents) {
    const file = join(folder, "docs", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const bot = { id: BOT, name: "Help", allowedDomains: ["*"], knowledge: ["docs/"] };
  writeFileSync(join(folder, "help.json"), JSON.stringify(bot));
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runExecutable(args, { cwd: folder });
    if (exitCode !== 0) throw new Error(`parley ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const start = performance.now();
  const seeded = await run("seed", "help.json");
  const seedSeconds = (performance.now() - start) / 1000;
  const embedToken = (await run("token", "create", "--bot", BOT)).trim();
  const server = await serveExecutable(folder, ["--rate-limit-capacity", "100000"]);
  return {
    server,
    seeded,
    seedSeconds,
    run,
    async ask(input) {
      const startedAt = performance.now();
      const response = await fetch(`${server.url}/chat`, {
        method: "POST",
        headers: { authorization: `Bearer ${embedToken}`, "content-type": "application/json" },
        body: JSON.stringify({ botId: BOT, input }),
      });
      const answer = (await response.json()) as ChatResponse;
      if (!response.ok) throw new Error(JSON.stringify(answer));
      return {
        answer,
        milliseconds: performance.now() - startedAt,
        requestId: response.headers.get("x-request-id") ?? "",
      };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
