import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { hashEmbedToken, newEmbedToken } from "../../src/access/secrets.ts";
import type { HandoffEvent } from "../../src/client/public.d.ts";
import { type BotId, type EmbedToken, newEmbedTokenId, secureRandomBytes } from "../../src/domain/ids.ts";
import { shopBot } from "../support/bots.ts";
import { type ClientFolder, downloadClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/executable.ts";
import { type TestOperator, signIn } from "../support/operators.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { openTestStore } from "../support/store-under-test.ts";

const EXAMPLE = join(import.meta.dir, "../../docs/examples/answer-in-terminal.mjs");
const GUIDE = join(import.meta.dir, "../../docs/client.md");
const LEASE = { beatEveryMs: 400, leaseMs: 2000 };

const dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
const { store, flags, drop } = await openTestStore(dataDir, Date.now);
const [port, operatorPort] = [freePort(), freePort()];
const url = `http://127.0.0.1:${port}`;
let server: ServerProcess;
let token: EmbedToken;
let operator: TestOperator;
let folder: ClientFolder;

const start = () =>
  startServerProcess({ store: flags, modelUrl: "http://127.0.0.1:9", lease: LEASE, port, operatorPort });

beforeAll(async () => {
  await store.bots.seed([shopBot({ handoff: {} })], { prune: false, dryRun: false });
  token = newEmbedToken(secureRandomBytes, "server");
  await store.embedTokens.create({
    id: newEmbedTokenId(Date.now(), secureRandomBytes, "server"),
    hash: hashEmbedToken(token),
    botIds: ["shop" as BotId],
  });
  server = await start();
  operator = await signIn({ store, server: { localOperatorUrl: `http://127.0.0.1:${operatorPort}` } }, "ann");
  folder = await downloadClient(url);
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await drop();
  rmSync(dataDir, { recursive: true });
});

const act = (handoffId: string, what: string, body?: object) =>
  operator.json("POST", `/handoffs/${handoffId}/${what}`, body);

test("a hand-off is followed over a server that is killed and starts again, without loss or repetition", async () => {
  const client = folder.client.createClient({ endpoint: url, token, botId: "shop", maxRetries: 8 });
  const { handoffId, conversationId } = await client.handoff({ message: "Please call" });
  const told: HandoffEvent[] = [];
  const following = (async () => {
    for await (const event of client.follow(conversationId)) told.push(event);
  })();
  const say = (text: string) => act(handoffId, "messages", { text });
  await act(handoffId, "take");
  await say("one");
  await eventually(() => told.length === 2);
  server.process.kill("SIGKILL");
  await server.process.exited;
  // Asked while nobody listens; told by the server that comes.
  const asked = client.chat("are you there?", { conversationId });
  server = await start();
  await say("two");
  expect((await asked).metadata.handoff).toEqual({ state: "live" });
  await say("three");
  await act(handoffId, "close");
  await following;
  expect(told.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  const texts = told.map(({ text }) => text);
  expect([texts.slice(0, 2), texts.slice(2, 4).toSorted(), texts.slice(4)]).toEqual([
    ["live", "one"],
    ["are you there?", "two"],
    ["three", "closed"],
  ]);
});

test("the first program of the documentation runs as it stands", async () => {
  const page = await Bun.file(GUIDE).text();
  const [, program] = /```js\n([^]*?)```/.exec(page)!;
  const here = program!.replace("https://chat.example", url).replace('"acme"', '"shop"');
  await Bun.write(join(folder.path, "program.mjs"), here);
  const env = { ...process.env, PARLEY_TOKEN: token };
  const node = Bun.spawn(["node", "program.mjs"], { cwd: folder.path, env, stdout: "pipe" });
  expect(await new Response(node.stdout).text()).toMatch(/^It is on its way\.\n./);
  expect(await node.exited).toBe(0);
});

/** How each runtime starts the example; undefined where it is not on this machine. */
const RUNTIMES: Readonly<Record<string, readonly string[] | undefined>> = {
  Node: ["node"],
  Bun: [process.execPath],
  Deno: Bun.which("deno") === null ? undefined : ["deno", "run", "--allow-net", "--allow-env"],
};

describe("the example of the documentation", () => {
  beforeEach(() => copyFileSync(EXAMPLE, join(folder.path, "answer-in-terminal.mjs")));

  function run(command: readonly string[], env: Record<string, string> = {}) {
    const child = Bun.spawn([...command, "answer-in-terminal.mjs"], {
      cwd: folder.path,
      env: { ...process.env, PARLEY_URL: url, PARLEY_BOT: "shop", PARLEY_TOKEN: token, ...env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    const heard = { text: "" };
    const reading = (async () => {
      for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) heard.text += piece;
    })();
    const type = async (line: string) => {
      void child.stdin.write(`${line}\n`);
      await child.stdin.flush();
    };
    return { child, heard, reading, type };
  }

  const hears = ({ heard }: ReturnType<typeof run>, text: string) =>
    eventually(() => {
      if (!heard.text.includes(text)) throw new Error(`heard ${JSON.stringify(heard.text)}`);
    });

  for (const [name, command] of Object.entries(RUNTIMES)) {
    test.skipIf(command === undefined)(`runs on ${name}: an answer, a refusal, a person`, async () => {
      const program = run(command!);
      await program.type("where is my order");
      await hears(program, "bot: It is on its way.\n");
      await program.type("delete my account");
      await hears(program, "bot: That is not for a bot to do.\n(A person has been asked.)\n");
      const open = await operator.json<{ items: { id: string }[] }>("GET", "/handoffs?state=open");
      const { id } = open.items[0]!;
      await act(id, "take");
      await hears(program, "(live)\n");
      await act(id, "messages", { text: "I have deleted it." });
      await hears(program, "Ann: I have deleted it.\n");
      await program.child.stdin.end();
      await act(id, "close");
      await program.reading;
      expect(program.heard.text).toEndWith("(closed)\n");
      expect(await new Response(program.child.stderr).text()).toBe("");
      expect(await program.child.exited).toBe(0);
    });

    test.skipIf(command === undefined)(`says on ${name} what is wrong`, async () => {
      const program = run(command!, { PARLEY_TOKEN: "parley_st_x" });
      await program.type("where is my order");
      await program.child.stdin.end();
      expect(await new Response(program.child.stderr).text()).toStartWith("UNAUTHORIZED: ");
      expect(await program.child.exited).toBe(1);
    });
  }
});
