import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pino from "pino";

import { ConfigError, loadConfig } from "../../src/config/config.ts";
import { newInstanceId, secureRandomBytes } from "../../src/domain/ids.ts";
import { type RunningServer, type ServerParts, startServer } from "../../src/http/server.ts";
import { ENCODER_VERSION, type EncoderInput, EncoderThread } from "../../src/intent/classifier.ts";
import { examineEncoder } from "../../src/operate/doctor/backlog.ts";
import { explainTurn } from "../../src/operate/explain.ts";
import { ENCODER_OFF } from "../../src/store/interface/vectors.ts";
import { shopBot } from "../support/bots.ts";
import { eventually } from "../support/eventually.ts";
import { passagesEncoded, seedFolder } from "../support/knowledge.ts";
import { issueToken } from "../support/parley.ts";
import { openTestStore, type TestStore } from "../support/store-under-test.ts";

const OLDER = "older-encoder-1";
const DAY_MS = 24 * 60 * 60 * 1000;
const LEASE = { beatEveryMs: 100, leaseMs: 600 };
/** No word of it is in an example. */
const PARAPHRASE = "how long until the goods get here";
/** Words find the passage, and are not sure of it. */
const UNSURE = "what happens if my gift card gets stolen";
const DOCUMENT = `# Gift cards

## How long gift cards last

A gift card never expires. It can be spent in parts.

## Lost gift cards

With the receipt we block a lost gift card and send another one.`;

let folder: string;
let opened: TestStore;
let token: string;
let nowMs: number;
let tests = 0;
const running = new Set<RunningServer>();
/** Encoders that wait are let go at the end of a test, whatever came of it. */
const gates = new Set<() => void>();
const thread = new EncoderThread({ work: "background" });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs/gift-cards.md"), DOCUMENT);
  nowMs = Date.now();
  opened = await openTestStore(folder, () => nowMs);
  const { store } = opened;
  const [orders, ...others] = shopBot().intents!;
  // A text that this process has not encoded before, or it would know the vector.
  const shop = shopBot({ intents: [{ ...orders!, label: `the state of an order, ${++tests}` }, ...others] });
  const documents = shopBot({ id: "documents", intents: [] });
  await store.bots.seed([shop, documents], { prune: false, dryRun: false });
  await seedFolder(store, "documents", folder, ["docs/"]);
  token = await issueToken(store, ["shop", "documents"]);
});
afterEach(async () => {
  for (const open of gates) open();
  for (const server of running) await end(server);
  await opened.store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(folder, { recursive: true });
});

interface StartOptions extends ServerParts {
  setting?: "on" | "off";
  onLog?: (line: Record<string, unknown>) => void;
}

async function start({
  setting = "on",
  onLog = () => {},
  ...parts
}: StartOptions = {}): Promise<RunningServer> {
  const flags = { ...opened.flags, port: "0", operatorPort: "0", encoder: setting };
  const config = loadConfig({ flags, env: {}, readFile: () => "" });
  const log = pino({ level: "info" }, { write: (line: string) => onLog(JSON.parse(line)) });
  const server = await startServer(config, { log, lease: LEASE, ...parts });
  running.add(server);
  return server;
}

async function end(server: RunningServer): Promise<void> {
  running.delete(server);
  await server.close();
}

/** The receipt of an answer. */
async function ask(server: RunningServer, botId: string, input: string) {
  const response = await fetch(`${server.localUrl}/chat`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ botId, input }),
  });
  expect(response.status).toBe(200);
  const requestId = response.headers.get("x-request-id")!;
  return { requestId, receipt: (await opened.store.conversations.findTurnByRequest(requestId))!.receipt };
}

async function unreadyOf(server: RunningServer): Promise<string[]> {
  const metrics = await (await fetch(`${server.localOperatorUrl}/metrics`)).text();
  return metrics.split("\n").filter((line) => line.startsWith("parley_encoder_unready{"));
}

/** Leaves the store as a server with another encoder does, whose vectors this one could not even read. */
async function writtenByAnother(): Promise<void> {
  // Trains, and encodes nothing.
  await end(await start({ setting: "off" }));
  const { store } = opened;
  for (const { intentModelId } of await store.bots.listEnabled())
    await store.vectors.saveSentenceModel(intentModelId!, OLDER, Uint8Array.of(1));
  const ids = await store.knowledge.listPassageIds((await store.bots.find("documents"))!.key);
  await store.vectors.savePassageVectors(new Map(ids.map((id) => [id, Uint8Array.of(1)])), OLDER);
}

/** The same with vectors that this one has made. */
async function asReadByAnother(): Promise<void> {
  await opened.runSql(`INSERT INTO encoders (version) VALUES ('${OLDER}')`);
  for (const table of ["sentence_models", "passage_vectors"])
    await opened.runSql(`UPDATE ${table} SET encoder = '${OLDER}'`);
  await opened.runSql(`DELETE FROM encoders WHERE version <> '${OLDER}'`);
}

/** How many rows are stored of an encoder's. */
async function rowsOf(version: string): Promise<number[]> {
  const rows = async (table: string) =>
    (await opened.runSql(`SELECT encoder FROM ${table} WHERE encoder = '${version}'`)).length;
  return [await rows("sentence_models"), await rows("passage_vectors")];
}

/** Encodes once it is let. */
function gated() {
  const gate = Promise.withResolvers<void>();
  gates.add(gate.resolve);
  const encode = async (input: EncoderInput) => {
    await gate.promise;
    return thread.encode(input);
  };
  return { open: gate.resolve, encoder: { encode } };
}

async function readByThisOne(): Promise<void> {
  const server = await start();
  await server.encoded();
  await passagesEncoded(opened.store);
  await end(server);
}

describe("a server with another encoder than the one before", () => {
  test("answers by words alone, says so, and encodes all anew behind", async () => {
    await writtenByAnother();
    const logged: Record<string, unknown>[] = [];
    const { open, encoder } = gated();
    const server = await start({ encoderBehind: encoder, onLog: (line) => void logged.push(line) });

    await eventually(() => logged.some(({ bots, passages }) => bots === 2 && passages === 2));
    // The bot that has nothing to encode may have come first.
    expect(await unreadyOf(server)).toEqual([
      expect.stringMatching(/^parley_encoder_unready\{of="bots"\} [12]$/),
      'parley_encoder_unready{of="passages"} 2',
    ]);
    expect(await examineEncoder(opened.store.vectors, { encoder: "on" })).toMatchObject({ severity: "hint" });
    const early = await ask(server, "shop", PARAPHRASE);
    expect(early.receipt).toMatchObject({ understanding: "not_ready" });
    expect(early.receipt).not.toHaveProperty("encoder");
    expect((await ask(server, "documents", UNSURE)).receipt.knowledge).toMatchObject({
      meaning: "not_ready",
    });
    expect(await explainTurn(opened.store, early.requestId)).toMatchObject({ agrees: true });

    open();
    await server.encoded();
    expect(await unreadyOf(server)).toEqual([
      'parley_encoder_unready{of="bots"} 0',
      'parley_encoder_unready{of="passages"} 0',
    ]);
    expect(await examineEncoder(opened.store.vectors, { encoder: "on" })).toMatchObject({ severity: "fine" });
    const { receipt } = await ask(server, "shop", PARAPHRASE);
    expect(receipt).toMatchObject({ understanding: "used", encoder: ENCODER_VERSION });
    expect((await ask(server, "documents", UNSURE)).receipt).toMatchObject({
      knowledge: { meaning: "used" },
      encoder: ENCODER_VERSION,
    });
  });

  test("leaves what the one before has stored to servers that run it, and for a day after the last of them", async () => {
    await readByThisOne();
    const ofThis = await rowsOf(ENCODER_VERSION);
    expect(ofThis).toEqual([2, 2]);
    await asReadByAnother();
    const { store } = opened;
    const older = await opened.openAnother();
    await older.giveBackUnfinished();
    expect(await older.vectors.registerEncoder(OLDER)).toEqual([]);
    const server = await start({ now: () => nowMs });
    await server.encoded();
    expect([await rowsOf(OLDER), await rowsOf(ENCODER_VERSION)]).toEqual([ofThis, ofThis]);

    await store.deleteExpired(nowMs, 0);
    await store.deleteExpired(nowMs + 2 * DAY_MS, 0);
    expect(await rowsOf(OLDER)).toEqual(ofThis);

    await older[Symbol.asyncDispose]();
    await store.deleteExpired(nowMs, 0);
    await store.deleteExpired(nowMs + DAY_MS - 1, 0);
    expect(await rowsOf(OLDER)).toEqual(ofThis);
    await store.deleteExpired(nowMs + DAY_MS, 0);
    expect([await rowsOf(OLDER), await rowsOf(ENCODER_VERSION)]).toEqual([[0, 0], ofThis]);
    await store.deleteExpired(nowMs + DAY_MS, 0);
    expect(await opened.runSql("SELECT version FROM encoders")).toEqual([{ version: ENCODER_VERSION }]);
  });

  test("finds what it had stored when it comes back within that day", async () => {
    await readByThisOne();
    const encoded: string[] = [];
    const encode = (input: EncoderInput) => {
      encoded.push(input.text);
      return thread.encode(input);
    };
    const server = await start({ encoderBehind: { encode } });
    await server.encoded();
    expect((await ask(server, "shop", PARAPHRASE)).receipt.understanding).toBe("used");
    expect(encoded).toEqual([]);
  });

  test("explains a turn of the one before, and says that its encoder is not at hand", async () => {
    const server = await start();
    await server.encoded();
    const { requestId, receipt } = await ask(server, "shop", PARAPHRASE);
    expect(await explainTurn(opened.store, requestId)).not.toHaveProperty("encoder");
    const earlier = JSON.stringify({ ...receipt, encoder: OLDER });
    await opened.runSql(`UPDATE turns SET receipt = '${earlier}'`);
    expect(await explainTurn(opened.store, requestId)).toMatchObject({
      encoder: { used: OLDER, replayedWith: ENCODER_VERSION },
    });
  });
});

describe("servers of one store", () => {
  test("do not start with another --encoder than those that run", async () => {
    const server = await start();
    const other = start({ setting: "off" });
    await expect(other).rejects.toThrow(ConfigError);
    await expect(other).rejects.toThrow("--encoder on");
    await end(server);
    const off = await start({ setting: "off" });
    expect(await opened.store.vectors.listRunning()).toEqual([ENCODER_OFF]);
    expect(await examineEncoder(opened.store.vectors, { encoder: "on" })).toMatchObject({ severity: "mend" });
    await expect(start()).rejects.toThrow("--encoder off");
    await end(off);
  });

  test("wait for one that was killed, and start when its lease has run out", async () => {
    const killed = newInstanceId(nowMs, secureRandomBytes);
    // Another that runs keeps the folder from being claimed, and the killed one from being taken away.
    const beside = await opened.openAnother();
    await beside.giveBackUnfinished();
    await opened.runSql(
      `INSERT INTO instances (id, started_at, heartbeat, encoder) VALUES ('${killed}', 1, 1, '${ENCODER_VERSION}')`,
    );
    const server = await start({ setting: "off" });
    expect((await ask(server, "shop", PARAPHRASE)).receipt.understanding).toBe("off");
    await beside[Symbol.asyncDispose]();
  });
});

describe("a server without an encoder", () => {
  test("answers by words alone, encodes nothing, and its receipts and the doctor say so", async () => {
    const encode = () => Promise.reject(new Error("asked"));
    const server = await start({ setting: "off", encoderBehind: { encode } });
    const { receipt, requestId } = await ask(server, "shop", PARAPHRASE);
    expect(receipt.understanding).toBe("off");
    expect((await ask(server, "documents", UNSURE)).receipt.knowledge).toMatchObject({ meaning: "off" });
    expect(await explainTurn(opened.store, requestId)).toMatchObject({ agrees: true });
    expect([await rowsOf(ENCODER_VERSION), await rowsOf(ENCODER_OFF)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(await examineEncoder(opened.store.vectors, { encoder: "off" })).toMatchObject({
      severity: "fine",
      message: expect.stringContaining("words alone"),
    });
  });
});
