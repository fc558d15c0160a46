import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";

import { PAGES } from "../support/docs.ts";
import { GuideMachine } from "../support/guide.ts";
import { mailServer } from "../support/mail-server.ts";
import { createEmptyDatabase, whyNoPostgres } from "../support/postgres-server.ts";
import { findRedisServer, TestRedis } from "../support/redis-server.ts";
import { Receiver } from "../support/webhook-receiver.ts";

let machine: GuideMachine;
let mail: Awaited<ReturnType<typeof mailServer>>;
const receiver = new Receiver();
let redis: TestRedis | undefined;
const databases: Awaited<ReturnType<typeof createEmptyDatabase>>[] = [];
/** What a root shell has, as the page on installing says. */
let shell: Record<string, string>;
/** What the page on the console makes, and others use. */
let key = "";

beforeAll(async () => {
  mail = await mailServer();
  machine = new GuideMachine([
    ["https://crm.example/parley", async () => receiver.url],
    ["smtp://user:PASSWORD@mail.example:587", async () => mail.url],
    ["postgres://parley:PASSWORD@db.internal/parley?sslmode=verify-full", newDatabase],
    ["redis://parley:PASSWORD@buckets.internal:6379/1", async () => (redis ??= await TestRedis.start()).url],
  ]);
  shell = { PARLEY_DATA: `${machine.root}/var/lib/parley` };
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  rmSync(machine.root, { recursive: true });
  receiver[Symbol.dispose]();
  mail.server.close();
  await redis?.[Symbol.asyncDispose]();
  for (const { drop } of databases) await drop();
});

async function newDatabase(): Promise<string> {
  databases.push(await createEmptyDatabase());
  return databases.at(-1)!.url;
}

/** Pages that have a look of their own at what their commands did. */
const OWN = ["install", "console", "backups", "handoffs", "postgresql"];
const OTHERS = [...PAGES.keys()]
  .filter((path) => path.startsWith("docs/operating"))
  .filter((path) => !OWN.some((name) => path === `docs/operating/${name}.md`));

const passes = ({ exitCode, ...said }: { exitCode: number; stdout: string; stderr: string }) =>
  expect({ exitCode, said: exitCode === 0 ? "" : said }).toEqual({ exitCode: 0, said: "" });

describe("every command of the pages on operating is run as it stands there", () => {
  test("install", async () => {
    const done = await machine.runPage("docs/operating/install.md");
    passes(done);
    expect(done.stdout).toContain('"response":"Acme Support says: it is on its way."');
  });

  test("the executable holds the pages, for terminals and browsers", async () => {
    const printed = await machine.run("parley help backups; curl http://127.0.0.1:8788/help/backups", shell);
    passes(printed);
    expect(printed.stdout).toContain("\n    parley restore /mnt/backups/parley.db\n");
    expect(printed.stdout).toContain('<h2 id="make-backups">Make backups</h2>');
  });

  test.each(OTHERS)("%s", async (path) => {
    const done = await machine.runPage(path, shell);
    passes(done);
    expect(done.stdout).not.toBe("");
  });

  test("console", async () => {
    const done = await machine.runPage("docs/operating/console.md", shell, 'echo "$KEY"');
    passes(done);
    expect(done.stdout).toContain('"ready":true');
    key = done.stdout.trim().split("\n").at(-1)!;
  });

  test("backups", async () => {
    passes(await machine.runPage("docs/operating/backups.md", shell));
    expect(existsSync(join(machine.root, "mnt/backups/move.db"))).toBe(true);
  });

  test("handoffs", async () => {
    passes(await machine.runPage("docs/operating/handoffs.md", { ...shell, KEY: key }));
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      "webhook.test",
    ]);
    expect(mail.letters).toHaveLength(1);
  });

  test.skipIf(whyNoPostgres !== undefined || findRedisServer() === undefined)("postgresql", async () => {
    passes(await machine.runPage("docs/operating/postgresql.md", shell));
    expect(existsSync(join(machine.root, "var/lib/parley-again/parley.db"))).toBe(true);
  });
});
