import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { findOldCopies } from "../../../src/cli/remains.ts";
import {
  type ConversationId,
  newConversationId,
  newRequestId,
  secureRandomBytes,
} from "../../../src/domain/ids.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { CliFixture } from "../../support/cli.ts";
import { filesHolding } from "../../support/files.ts";
import { askPerson } from "../../support/people.ts";
import { turnWith } from "../../support/turns.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 24 * 60 * 60 * 1000;
let cli: CliFixture;
beforeEach(async () => {
  cli = new CliFixture();
  await cli.seed("shop", "other");
});
afterEach(() => cli[Symbol.dispose]());

interface Said {
  bot?: string;
  daysAgo: number[];
  input?: string;
}

/** Stores conversations as a server would have. */
async function store(...conversations: Said[]): Promise<ConversationId[]> {
  await using opened = new SqliteStore({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
  return await Promise.all(
    conversations.map(async ({ bot = "shop", daysAgo, input = "hello" }) => {
      const conversationId = newConversationId(NOW, secureRandomBytes);
      for (const days of daysAgo) {
        const requestId = newRequestId(NOW, secureRandomBytes);
        const turn = turnWith({ requestId, at: NOW - days * DAY_MS, input });
        await opened.recordTurn({ bot: (await opened.bots.find(bot))!.key, conversationId, turn });
      }
      return conversationId;
    }),
  );
}

const run = (...args: string[]) => cli.run(["conversation", "delete", ...args]);

async function left(): Promise<string[]> {
  const { stdout } = await cli.run(["conversation", "list", "--json"]);
  const { conversations } = JSON.parse(stdout) as { conversations: { conversationId: string }[] };
  return conversations.map(({ conversationId }) => conversationId);
}

describe("conversation delete", () => {
  test("--before deletes conversations without a message since then, and leaves those that went on", async () => {
    const [, wentOn, recent] = await store({ daysAgo: [100, 95] }, { daysAgo: [100, 10] }, { daysAgo: [10] });
    const { stderr, exitCode } = await run("--before", "90d", "--yes");
    expect(stderr).toBe("deleted 1 conversation with 2 messages\n");
    expect(exitCode).toBe(0);
    expect((await left()).toSorted()).toEqual([wentOn!, recent!].toSorted());
  });

  test("--matching deletes conversations that hold a text, in whatever case, of one bot where it is named", async () => {
    const [, kept] = await store(
      { daysAgo: [1], input: "I am ANN@Example.org" },
      { daysAgo: [1], input: "ann@example.org", bot: "other" },
    );
    expect((await run("--matching", "ann@example.ORG", "--bot", "shop", "--yes")).exitCode).toBe(0);
    expect(await left()).toEqual([kept!]);
    expect(filesHolding(cli.data, "ANN@Example.org")).toEqual([]);
  });

  test("takes --before and --matching together", async () => {
    const [, young, other] = await store(
      { daysAgo: [100], input: "secret" },
      { daysAgo: [1], input: "secret" },
      { daysAgo: [100] },
    );
    await run("--before", "2026-10-01", "--matching", "secret", "--yes");
    expect((await left()).toSorted()).toEqual([young!, other!].toSorted());
  });

  test("deletes many in small steps, and counts them all", async () => {
    await store(...Array.from({ length: 450 }, () => ({ daysAgo: [100] })));
    const { stdout } = await run("--before", "90d", "--yes", "--json");
    expect(JSON.parse(stdout)).toEqual({ conversations: 450, messages: 450, deleted: true });
    expect(await left()).toEqual([]);
  });

  test("--dry-run says how many would go, and deletes nothing", async () => {
    await store({ daysAgo: [100, 99] }, { daysAgo: [1] });
    const { stderr } = await run("--before", "90d", "--dry-run");
    expect(stderr).toBe("dry run: 1 conversation with 2 messages would be deleted\n");
    expect(JSON.parse((await run("--before", "90d", "--dry-run", "--json")).stdout)).toEqual({
      conversations: 1,
      messages: 2,
      deleted: false,
    });
    expect(await left()).toHaveLength(2);
  });

  test("asks on a terminal, and takes no for an answer", async () => {
    await store({ daysAgo: [100] });
    const args = ["conversation", "delete", "--before", "90d"];
    const refused = await cli.run(args, { confirm: false });
    expect(refused.stderr).toContain(
      "this deletes 1 conversation with 1 message: those without a message since",
    );
    expect(refused.stderr).toContain("nothing was deleted");
    expect(await left()).toHaveLength(1);
    expect((await cli.run(args, { confirm: true })).stderr).toContain("deleted 1 conversation");
    expect(await left()).toEqual([]);
  });

  test("without a terminal, and without --yes, deletes nothing", async () => {
    await store({ daysAgo: [100] });
    const { stderr, exitCode } = await run("--before", "90d");
    expect(stderr).toContain("confirm with --yes, or look with --dry-run");
    expect(exitCode).toBe(2);
    expect(await left()).toHaveLength(1);
  });

  test.each([
    [[], "give a conversation"],
    [["--bot", "shop"], "give a conversation"],
    [["--matching", "  "], "--matching is empty"],
    [["cv_x", "--before", "90d"], "give either a conversation"],
    [["--before", "soon"], "Use a duration"],
  ])("is refused where it does not say what is to go: %p", async (args, message) => {
    const { stderr, exitCode } = await run(...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test("where nothing meets it, deletes nothing and asks nothing", async () => {
    await store({ daysAgo: [1] });
    const { stderr, exitCode } = await run("--matching", "nowhere");
    expect(stderr).toBe("deleted 0 conversations with 0 messages\n");
    expect(exitCode).toBe(0);
  });

  test("names copies of the database that still hold what was deleted", async () => {
    await store({ daysAgo: [1], input: "secret" });
    const copy = join(cli.data, "parley.db.v3.1.backup");
    copyFileSync(join(cli.data, "parley.db"), copy);
    const { stderr } = await run("--matching", "secret", "--yes");
    expect(stderr).toContain(`warning: these copies of the database still contain the deleted data: ${copy}`);
  });

  test("names no database that is in use for a copy, however the folder is written", async () => {
    await store({ daysAgo: [1] });
    const copy = join(cli.data, "parley.db.v3.1.backup");
    copyFileSync(join(cli.data, "parley.db"), copy);
    const folders = [cli.data, `./${relative(process.cwd(), cli.data)}`, `${cli.data}/`, `${cli.data}/./`];
    for (const folder of folders)
      expect(findOldCopies(folder).map((file) => resolve(file))).toEqual([resolve(copy)]);
  });

  test("of one conversation erases it from the files, too", async () => {
    const [id] = await store({ daysAgo: [1], input: "kwyjibo" });
    const { stderr } = await run(id!);
    expect(stderr).toBe(`${id} is deleted\n`);
    expect(filesHolding(cli.data, "kwyjibo")).toEqual([]);
  });
});

describe("conversation delete, of what was said with people", () => {
  const CANARIES = ["kwyjibo-form", "kwyjibo-said", "kwyjibo-operator"];

  test.each(CANARIES)("--matching %s erases all of it, from the files, too", async (text) => {
    const conversationId = await storePerson();
    expect((await run("--matching", text, "--yes")).stderr).toBe("deleted 1 conversation with 1 message\n");
    expect(filesHolding(cli.data, "kwyjibo")).toEqual([]);
    expect((await cli.run(["conversation", "show", conversationId])).exitCode).not.toBe(0);
  });

  test("by id deletes one that is nothing but a hand-off", async () => {
    const conversationId = await storePerson([]);
    expect((await cli.run(["conversation", "list"])).stdout).toContain(conversationId);
    expect((await run(conversationId)).stderr).toBe(`${conversationId} is deleted\n`);
    expect(filesHolding(cli.data, "kwyjibo")).toEqual([]);
  });

  async function storePerson(said: readonly string[] = CANARIES.slice(1)): Promise<ConversationId> {
    await using opened = new SqliteStore({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
    const conversationId = newConversationId(NOW, secureRandomBytes);
    await askPerson(opened, { conversationId, at: NOW, fields: { name: CANARIES[0]! }, said });
    return conversationId;
  }
});

describe("the files after many deletions", () => {
  /** Rows that SQLite moves may leave copies behind, one in some thousand. */
  const CONVERSATIONS = 601;

  test("hold nothing of what was deleted, however often rows were moved before", async () => {
    await using opened = new SqliteStore({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
    const bot = (await opened.bots.find("shop"))!.key;
    const ids = Array.from({ length: CONVERSATIONS }, () => newConversationId(NOW, secureRandomBytes));
    const stored: Promise<unknown>[] = [];
    for (let message = 0; message < 4 * CONVERSATIONS; message++) {
      const place = (message * 7919 + (message >> 3)) % CONVERSATIONS;
      const padding = "x".repeat((message * 104_729) % (message % 10 === 0 ? 9000 : 300));
      const turn = turnWith({
        requestId: newRequestId(NOW, secureRandomBytes),
        at: NOW,
        input: `${padding}${place % 2 === 0 ? "kwyjibo" : "nothing"}${padding}`,
      });
      stored.push(opened.recordTurn({ bot, conversationId: ids[place]!, turn }));
    }
    await Promise.all(stored);
    for (const conversation of await opened.erasure.choose({ text: "kwyjibo" })) {
      await opened.erasure.erase([conversation], {});
    }
    expect(await opened.erasure.wipeFiles()).toEqual({ isRewritten: true, isLogEmpty: true });
    expect(filesHolding(cli.data, "kwyjibo")).toEqual([]);
  });

  test("a file that is too large to be written anew in passing is left as it is, and said to be", async () => {
    await using opened = new SqliteStore({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
    expect(await opened.erasure.wipeFiles(1000)).toEqual({ isRewritten: false, isLogEmpty: true });
  });
});
