import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Subprocess } from "bun";

import { codeLinesOf, pageOf } from "../support/docs.ts";
import { createPostgresDatabase, whyNoPostgres } from "../support/postgres-server.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
/** The only words that are not the page's: nobody else has its database. */
const EXAMPLE = "postgres://parley:…@db.internal:5432/parley?sslmode=verify-full";
const BOT = JSON.stringify({
  id: "shop",
  name: "Shop",
  allowedDomains: ["*"],
  monthlyMessageCap: 3,
  intents: [{ name: "orders", examples: ["where is my order"], responses: ["On its way."] }],
});

/** What an operator types who reads a section from its beginning to its end. */
function linesOfSection(page: string, heading: string): string[] {
  const section = page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`))!;
  return codeLinesOf(section).filter((line) => line !== "" && !line.startsWith("```"));
}

describe.skipIf(isOnPostgres || whyNoPostgres !== undefined)('"Moving" of scaling.md, word for word', () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-moving-"));
  const env: Record<string, string> = {};
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let address: string;
  let token: string;
  let server: Subprocess<"ignore", "pipe", "pipe"> | undefined;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    const url = new URL(database.url);
    url.password = "secret";
    address = url.href;
    // `parley` is on the path, as it is of an operator.
    mkdirSync(join(folder, "bin"));
    const parley = join(folder, "bin/parley");
    writeFileSync(parley, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
    chmodSync(parley, 0o755);
    const path = `${join(folder, "bin")}:${process.env["PATH"]}`;
    Object.assign(env, { PATH: path, HOME: folder, PARLEY_PORT: "0", PARLEY_OPERATOR_PORT: "0" });
    writeFileSync(join(folder, "shop.yaml"), BOT);
    await type("parley seed shop.yaml --no-review");
    token = (await type("parley token create --bot shop")).trim();
  });
  afterAll(async () => {
    await stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  /** A line that sets a variable for those behind it, starts a server, or ends by itself. */
  async function type(line: string): Promise<string> {
    const [, name, value] = /^export (\w+)='(.*)'$/.exec(line) ?? [];
    if (name !== undefined) return (env[name] = value!);
    const [, gone] = /^unset (\w+)$/.exec(line) ?? [];
    if (gone !== undefined) return String(delete env[gone]);
    if (/^parley serve\b/.test(line)) return serve(line);
    const child = Bun.spawn(["sh", "-c", line], { cwd: folder, env, stdout: "pipe", stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect({ line, exitCode: await child.exited, stderr }).toMatchObject({ line, exitCode: 0 });
    return stdout;
  }

  async function serve(line: string): Promise<string> {
    server = Bun.spawn(["sh", "-c", `exec ${line}`], {
      cwd: folder,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    let said = "";
    for await (const chunk of server.stderr.pipeThrough(new TextDecoderStream())) {
      said += chunk;
      const url = /Parley answers at (\S+),/.exec(said)?.[1];
      if (url !== undefined) return url;
    }
    throw new Error(said);
  }

  async function stop(): Promise<void> {
    server?.kill("SIGTERM");
    await server?.exited;
    server = undefined;
  }

  async function say(url: string, key: string): Promise<{ status: number; conversationId?: string }> {
    const response = await fetch(`${url}/chat`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body: JSON.stringify({ botId: "shop", input: "where is my order" }),
    });
    return { ...((await response.json()) as object), status: response.status };
  }

  test("takes a service to PostgreSQL and back, with its token, its keys and its cap", async () => {
    const lines = linesOfSection(pageOf("docs/scaling.md"), "Moving");
    expect(lines.length).toBeGreaterThan(6);
    expect(lines.filter((line) => line.includes(EXAMPLE))).toHaveLength(1);
    const first = await say(await serve("parley serve"), "key-1");
    expect(first.status).toBe(200);
    await stop();
    let served = 0;
    for (const line of lines) {
      const said = await type(line.replace(EXAMPLE, address));
      if (!line.startsWith("parley serve")) continue;
      served += 1;
      expect(await say(said, "key-1")).toEqual(first);
      expect((await say(said, `key-${served + 1}`)).status).toBe(200);
      if (served === 2) expect((await say(said, "key-9")).status).toBe(429);
      await stop();
    }
    expect(served).toBe(2);
  });
});
