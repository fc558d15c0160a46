import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readInputs, readTables, tablesBefore } from "../support/databases.ts";
import { eventually } from "../support/eventually.ts";
import { emptyFolder, runExecutable, serveExecutable } from "../support/executable.ts";

const BOT = `
id: shop
name: Shop
allowedDomains: ["*"]
intents:
  - name: orders.status
    examples: [where is my order, track my parcel please, when will my package arrive]
    responses: [It is on its way.]
`;
const ROOMY = ["--rate-limit-capacity", "100000", "--rate-limit-per-minute", "100000"];

let folder: string;
beforeEach(() => void (folder = emptyFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

async function run(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runExecutable(args, { cwd: folder });
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

async function seedShop(): Promise<string> {
  writeFileSync(join(folder, "shop.yaml"), BOT);
  await run("seed", "shop.yaml");
  return (await run("token", "create", "--bot", "shop")).trim();
}

function chat(url: string, token: string, input: string): Promise<Response> {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ botId: "shop", input }),
  });
}

test("a backup under load has every message that was acknowledged before it; elsewhere it is the same service", async () => {
  const token = await seedShop();
  const acknowledged: string[] = [];
  let acknowledgedBefore: string[];
  {
    await using serving = await serveExecutable(folder, ROOMY);
    let talking = true;
    const visitor = async (name: number) => {
      for (let n = 0; talking; n++) {
        const input = `where is my order ${name}-${n}`;
        const { status } = await chat(serving.url, token, input);
        if (status === 200) acknowledged.push(input);
      }
    };
    const visitors = Array.from({ length: 8 }, (_, name) => visitor(name));
    while (acknowledged.length < 100) await Bun.sleep(5);
    acknowledgedBefore = [...acknowledged];
    await run("backup", "copy.db");
    const refused = await runExecutable(["restore", "copy.db"], { cwd: folder });
    expect(refused).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("a server runs on ./data"),
    });
    talking = false;
    await Promise.all(visitors);
  }
  await run("restore", "copy.db", "--data", "elsewhere");
  const [copy, restored] = ["copy.db", "elsewhere/parley.db"].map((file) => join(folder, file));
  expect(tablesBefore("database.restored", readTables(restored!))).toEqual(readTables(copy!));
  expect(acknowledged.length).toBeGreaterThan(acknowledgedBefore.length);
  const inputs = new Set(readInputs(restored!));
  expect(acknowledgedBefore.filter((input) => !inputs.has(input))).toEqual([]);
  await using elsewhere = await serveExecutable(folder, [...ROOMY, "--data", "elsewhere"]);
  expect((await chat(elsewhere.url, token, "where is my order")).status).toBe(200);
}, 120_000);

test("once the server has stopped, a backup that is restored elsewhere is equal to its database in every table", async () => {
  const token = await seedShop();
  {
    await using serving = await serveExecutable(folder, ROOMY);
    for (let n = 0; n < 10; n++) await chat(serving.url, token, `where is my order ${n}`);
  }
  await run("backup", "copy.db");
  await run("restore", "copy.db", "--data", "elsewhere");
  const tables = readTables(join(folder, "elsewhere/parley.db"));
  expect(tablesBefore("database.restored", tables)).toEqual(
    tablesBefore("database.backed-up", readTables(join(folder, "data/parley.db"))),
  );
  expect(tables.get("turns")).toHaveLength(10);
}, 120_000);

test("serve --backup-every makes backups by itself, and a restart does not repeat them", async () => {
  const token = await seedShop();
  const backups = () => readdirSync(join(folder, "data")).flatMap(listBackups);
  const listBackups = (name: string) => (name === "backups" ? readdirSync(join(folder, "data/backups")) : []);
  const serveWithBackups = () => serveExecutable(folder, [...ROOMY, "--backup-every", "1h"]);
  {
    await using serving = await serveWithBackups();
    await chat(serving.url, token, "where is my order");
    await eventually(() => backups().some((name) => name.endsWith(".db")));
  }
  const made = backups();
  expect(made).toEqual([expect.stringMatching(/^parley-scheduled-\S+Z\.db$/)]);
  expect(readInputs(join(folder, "data/backups", made[0]!))).toEqual(["where is my order"]);
  {
    await using serving = await serveWithBackups();
    await Bun.sleep(2500);
    expect((await chat(serving.url, token, "track my parcel please")).status).toBe(200);
  }
  expect(backups()).toEqual(made);
}, 120_000);
