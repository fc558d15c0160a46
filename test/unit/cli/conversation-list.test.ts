import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { openStore } from "../../../src/cli/data-folder.ts";
import type { ConversationId, IntentName, RequestId } from "../../../src/domain/ids.ts";
import { shopBot } from "../../support/bots.ts";
import { CliFixture } from "../../support/cli.ts";
import { turnWith } from "../../support/turns.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 60 * 60 * 1000;

let cli: CliFixture;
beforeEach(async () => {
  cli = new CliFixture();
  await cli.run(["seed", "-", "--no-review"], { stdin: JSON.stringify(shopBot()) });
});
afterEach(() => cli[Symbol.dispose]());

/** Stores a conversation of one message, so many hours ago. */
async function store(id: string, hoursAgo: number, input = "where is my order"): Promise<void> {
  const at = NOW - hoursAgo * HOUR_MS;
  await using opened = await openStore({ now: () => at }, { data: cli.data });
  await opened.recordTurn({
    bot: (await opened.bots.find("shop"))!.key,
    conversationId: id as ConversationId,
    turn: {
      ...turnWith({ requestId: `rq_${id}` as RequestId, at, input }),
      intent: "orders.status" as IntentName,
    },
  });
}

const list = (...flags: string[]) => cli.run(["conversation", "list", ...flags]);

async function listedIds(...flags: string[]) {
  const { stdout } = await list("--json", ...flags);
  const page = JSON.parse(stdout) as { conversations: { conversationId: string }[]; next: string | null };
  return { ids: page.conversations.map(({ conversationId }) => conversationId), next: page.next };
}

describe("conversation list", () => {
  test("prints the latest first, a line each, with the message on one line", async () => {
    await store("cv_old", 30);
    await store("cv_new", 1, `where\n is \u001b my order, ${"please ".repeat(20)}`);
    const { stdout, stderr, exitCode } = await list();
    expect(stdout.split("\n")).toEqual([
      "AT                    CONVERSATION  BOT   TURNS  OUTCOME        MESSAGE",
      "2026-11-21T11:00:00Z  cv_new        shop  1      orders.status  where is \\u001b my order, please please please please please ple…",
      "2026-11-20T06:00:00Z  cv_old        shop  1      orders.status  where is my order",
      "",
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("prints JSON", async () => {
    await store("cv_a", 1);
    const { stdout } = await list("--json");
    expect(JSON.parse(stdout)).toEqual({
      conversations: [
        {
          conversationId: "cv_a",
          botId: "shop",
          startedAt: "2026-11-21T11:00:00Z",
          turns: 1,
          latest: {
            requestId: "rq_cv_a",
            at: "2026-11-21T11:00:00Z",
            input: "where is my order",
            intent: "orders.status",
            outcome: "allowed",
          },
        },
      ],
      next: null,
    });
  });

  test("says how to see the next page, until there is none", async () => {
    for (const [i, id] of ["cv_1", "cv_2", "cv_3", "cv_4", "cv_5"].entries()) await store(id, 10 - i);
    const { stderr } = await list("--limit", "2");
    expect(stderr).toBe("there are more: add --before cv_4, or a higher --limit\n");
    expect(await listedIds("--limit", "2")).toEqual({ ids: ["cv_5", "cv_4"], next: "cv_4" });
    expect(await listedIds("--limit", "2", "--before", "cv_4")).toEqual({
      ids: ["cv_3", "cv_2"],
      next: "cv_2",
    });
    expect(await listedIds("--limit", "2", "--before", "cv_2")).toEqual({ ids: ["cv_1"], next: null });
    expect((await list("--limit", "5")).stderr).toBe("");
  });

  test("chooses by bot, time, reason, intent and text", async () => {
    await store("cv_old", 40 * 24);
    await store("cv_late", 1, "my Parcel is LATE");
    expect((await listedIds("--since", "7d")).ids).toEqual(["cv_late"]);
    expect((await listedIds("--until", "2026-11-01")).ids).toEqual(["cv_old"]);
    expect((await listedIds("--grep", "parcel is late")).ids).toEqual(["cv_late"]);
    expect((await listedIds("--bot", "shop", "--reason", "ALLOWED", "--intent", "orders.*")).ids).toEqual([
      "cv_late",
      "cv_old",
    ]);
    expect(await list("--reason", "DENY_LIST")).toMatchObject({
      stdout: "",
      stderr: "no conversation meets these options\n",
      exitCode: 0,
    });
  });

  test.each([
    [["--reason", "xyz"], "Use one of allowed, DENY_LIST, "],
    [["--intent", "Orders Status"], "Use the name of an intent"],
    [["--since", "lately"], "Use a duration back from now such as 7d"],
    [["--limit", "none"], "Use a number of 1 or more"],
  ])("%j makes no sense", async (flags, message) => {
    const { stderr, exitCode } = await list(...flags);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test.each([
    [["--bot", "shp"], "no bot `shp`; did you mean `shop`?"],
    [["--before", "cv_none"], "no conversation `cv_none` to continue from"],
  ])("%j is not there", async (flags, message) => {
    const { stderr, exitCode } = await list(...flags);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(1);
  });
});

describe("conversation export", () => {
  const run = (...flags: string[]) => cli.run(["conversation", "export", ...flags]);

  test("writes each conversation with all of its turns as a line, the oldest first", async () => {
    const first = await cli.converse("shop", ["where is my order", "delete my account"]);
    const second = await cli.converse("shop", ["tell me a joke"]);
    const { stdout, stderr, exitCode } = await run("--jsonl");
    const lines = stdout.trimEnd().split("\n");
    const shown = await cli.run(["conversation", "show", first.conversationId, "--json"]);
    expect(JSON.parse(lines[0]!)).toEqual(JSON.parse(shown.stdout));
    expect(JSON.parse(lines[1]!)).toMatchObject({ conversationId: second.conversationId, botId: "shop" });
    expect(lines).toHaveLength(2);
    expect(stderr).toBe("exported 2 conversations with 3 turns\n");
    expect(exitCode).toBe(0);
  });

  test("of the chosen conversations writes every turn", async () => {
    await cli.converse("shop", ["where is my order"]);
    const { conversationId } = await cli.converse("shop", ["where is my order", "delete my account"]);
    const { stdout } = await run("--reason", "DENY_LIST");
    expect(JSON.parse(stdout)).toMatchObject({
      conversationId,
      turns: [{ input: "where is my order" }, { input: "delete my account" }],
    });
  });

  test("writes much in pieces, and loses nothing between them", async () => {
    for (let i = 0; i < 30; i++) await store(`cv_${i}`, 100 - i, `${i} ${"long ".repeat(1000)}`);
    const { stdout } = await run();
    const ids = stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { conversationId: string }).conversationId);
    expect(ids).toEqual(Array.from({ length: 30 }, (_, i) => `cv_${i}`));
  });

  test("--output writes a file that only its owner may read, and nothing to stdout", async () => {
    await store("cv_a", 1);
    const file = join(cli.folder, "conversations.jsonl");
    const { stdout, stderr } = await run("--output", file);
    expect(stdout).toBe("");
    expect(stderr).toBe(`exported 1 conversation with 1 turn to ${file}\n`);
    expect(readFileSync(file, "utf8")).toMatch(/^\{"conversationId":"cv_a".*\}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("never writes into a file or a link that somebody planted beside it, and lets nobody else read what it writes", async () => {
    await store("cv_a", 1);
    const file = join(cli.folder, "conversations.jsonl");
    const victim = join(cli.folder, "victim");
    writeFileSync(victim, "theirs");
    symlinkSync(victim, `${file}.part`);
    await run("--output", file);
    expect(readFileSync(victim, "utf8")).toBe("theirs");
    rmSync(`${file}.part`);
    writeFileSync(`${file}.part`, "planted", { mode: 0o666 });
    chmodSync(`${file}.part`, 0o666);
    await run("--output", file, "--force");
    expect(readFileSync(`${file}.part`, "utf8")).toBe("planted");
    expect(readFileSync(file, "utf8")).toContain("cv_a");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("replaces an earlier file when the new one is whole, and not before", async () => {
    await store("cv_a", 1);
    const file = join(cli.folder, "conversations.jsonl");
    await run("--output", file);
    await store("cv_b", 0);
    await run("--output", file, "--force");
    expect(readFileSync(file, "utf8").match(/"conversationId"/g)).toHaveLength(2);
    expect(readdirSync(cli.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("leaves a file that is there alone without --force", async () => {
    const file = join(cli.folder, "notes.txt");
    writeFileSync(file, "mine");
    const { stderr, exitCode } = await run("--output", file);
    expect(stderr).toBe(`error: ${file} exists; choose another name, or replace it with --force\n`);
    expect({ exitCode, text: readFileSync(file, "utf8") }).toEqual({ exitCode: 1, text: "mine" });
  });

  test.each(["parley.db", "parley.db-wal", "parley.lock", "parley.db.marker"])(
    "never replaces %s of the data folder",
    async (name) => {
      await store("cv_a", 1);
      const file = join(cli.data, name);
      const before = existsSync(file) ? readFileSync(file) : undefined;
      const { stderr, exitCode } = await run("--output", file, "--force");
      expect(stderr).toContain(`${file} belongs to the data folder`);
      expect(exitCode).toBe(1);
      expect(existsSync(file) ? readFileSync(file) : undefined).toEqual(before);
    },
  );

  test("a file that cannot be written ends with 1", async () => {
    const file = join(cli.folder, "nowhere", "x.jsonl");
    const { stderr, exitCode } = await run("--output", file);
    expect(stderr).toContain(`error: cannot write ${file}: `);
    expect(exitCode).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  test("of nothing is empty", async () => {
    expect(await run("--grep", "never said")).toMatchObject({
      stdout: "",
      stderr: "exported 0 conversations with 0 turns\n",
      exitCode: 0,
    });
  });
});
