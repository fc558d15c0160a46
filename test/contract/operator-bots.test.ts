import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { connect } from "node:net";

import pino from "pino";

import { loadConfig } from "../../src/config/config.ts";
import type { ConversationId, RequestId } from "../../src/domain/ids.ts";
import type { BotDetails, BotDraft, BotMistake, PublishPreview } from "../../src/domain/operator/bots.ts";
import type { ReceiptView, TryResult } from "../../src/domain/operator/conversations.ts";
import { startServer } from "../../src/http/server.ts";
import { ParseThread } from "../../src/knowledge/sources/thread/parse-thread.ts";
import { UploadQueue } from "../../src/operate/uploaded-documents.ts";
import { Workshop } from "../../src/operate/workshop.ts";
import { exportBot } from "../../src/seed/export-bot.ts";
import { ConsoleChangesError } from "../../src/store/refuse-console-changes.ts";
import { shopBot, type WrittenFields } from "../support/bots.ts";
import { runInTerminal } from "../support/cli.ts";
import { documentOf } from "../support/knowledge.ts";
import { says, startModelServer } from "../support/model-server.ts";
import { keyOf, type TestOperator, signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { askPerson } from "../support/people.ts";
import { turnWith } from "../support/turns.ts";

const SEED = { prune: false, dryRun: false };

let parley: TestParley;
let editor: TestOperator;
let owner: TestOperator;

beforeAll(async () => {
  parley = await startParley({ bots: [shopBot(), shopBot({ id: "other" }), shopBot({ id: "doomed" })] });
  editor = await signIn(parley, "ed", "editor");
  owner = await signIn(parley, "olga", "owner");
});
afterAll(() => parley[Symbol.asyncDispose]());

const yamlOf = (fields: WrittenFields = {}) => `# kept by hand\n${exportBot(shopBot(fields))}`;

async function details(bot = "shop"): Promise<BotDetails & { etag: string }> {
  const response = await editor.ask("GET", `/bots/${bot}`);
  return { ...((await response.json()) as BotDetails), etag: response.headers.get("etag")! };
}

const publish = (yaml: string, etag: string, bot = "shop", more: object = {}) =>
  editor.ask("PUT", `/bots/${bot}`, { body: { yaml, ...more }, headers: { "If-Match": etag } });

const problemOf = async (response: Response) =>
  (await response.json()) as { code: string; detail: string; errors?: { pointer: string; detail: string }[] };

/** The last line of an NDJSON answer, and the steps before it. */
async function progressOf<Result>(response: Response) {
  const lines = (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string; step?: string; result?: Result; detail?: string });
  const of = (kind: string) => lines.filter((line) => line.kind === kind);
  return { last: lines.at(-1)!, result: lines.at(-1)!.result!, steps: of("step"), parts: of("part") };
}

/** Waits until a bot answers as is expected: a change is live within a second. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 10_000;
  while (!(await check())) {
    if (Date.now() > until) throw new Error("did not come to pass");
    await Bun.sleep(50);
  }
}

describe("reading bots", () => {
  test("lists them, each with what is to be known of it", async () => {
    const { items } = await editor.json<{ items: object[] }>("GET", "/bots");
    expect(items).toContainEqual(
      expect.objectContaining({ id: "other", enabled: true, version: 1, origin: "file", intents: 3 }),
    );
  });

  test("shows one with its text, written from its document where none was kept", async () => {
    const bot = await details("other");
    expect(bot).toMatchObject({ etag: '"v1"', document: { id: "other" }, mistakes: [] });
    expect(bot.yaml).toBe(exportBot(shopBot({ id: "other" })));
  });

  test("gives the schema of a bot file", async () => {
    expect(await editor.json("GET", "/bots/schema")).toMatchObject({ title: "Parley bot" });
  });

  test("knows no other", async () => {
    expect((await editor.ask("GET", "/bots/nobody")).status).toBe(404);
  });
});

describe("publishing", () => {
  test("makes the next version, which visitors are answered by, and keeps the text", async () => {
    const before = await details();
    const yaml = yamlOf({ capabilityProfile: { allow: ["orders.*", "jokes.*"] } });
    const response = await publish(yaml, before.etag, "shop", { note: "jokes for everybody" });
    expect(response.status).toBe(200);
    const after = (await response.json()) as BotDetails;
    expect(after).toMatchObject({
      version: before.version + 1,
      origin: "console",
      publishedBy: "ed",
      yaml,
      hasDraft: false,
    });
    expect(response.headers.get("etag")).toBe(`"v${after.version}"`);
    await eventually(async () => (await parley.say("tell me a joke")).response === "Knock, knock.");
    const { items } = await editor.json<{ items: object[] }>("GET", "/bots/shop/versions");
    expect(items[0]).toMatchObject({
      version: after.version,
      publishedBy: "ed",
      note: "jokes for everybody",
    });
    const changes = await parley.store.changes.list({ limit: 1 });
    expect(changes[0]).toMatchObject({ kind: "bot.updated", by: { kind: "operator", name: "ed" } });
  });

  test("reaches another server on the same store within a second, too", async () => {
    const flags = {
      data: parley.env["PARLEY_DATA"]!,
      port: "0",
      operatorPort: "0",
      ...(parley.env["PARLEY_STORE"] && { store: parley.env["PARLEY_STORE"] }),
    };
    const second = await startServer(loadConfig({ flags, env: {}, readFile: () => "" }), {
      log: pino({ level: "silent" }),
    });
    try {
      const text = { refusals: { no_intent_match: "Said by a second server." } };
      const fields = { capabilityProfile: { allow: ["orders.*"], ...text } };
      expect((await publish(yamlOf(fields), (await details()).etag)).status).toBe(200);
      await eventually(async () => {
        const response = await fetch(`${second.localUrl}/chat`, {
          method: "POST",
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}` },
          body: JSON.stringify({ botId: "shop", input: "xyzzy plugh" }),
        });
        const { response: said } = (await response.json()) as { response: string };
        return said === "Said by a second server.";
      });
    } finally {
      await second.close();
    }
  });

  test("is refused with 412 where another version was published since, and with 428 where none is named", async () => {
    const { etag, version } = await details();
    expect((await publish(yamlOf({ name: "First" }), etag)).status).toBe(200);
    const stale = await publish(yamlOf({ name: "Second" }), etag);
    expect(stale.status).toBe(412);
    expect(stale.headers.get("etag")).toBe(`"v${version + 1}"`);
    expect((await problemOf(stale)).code).toBe("CONFLICT");
    const unnamed = await editor.ask("PUT", "/bots/shop", { body: { yaml: yamlOf() } });
    expect(unnamed.status).toBe(428);
    expect((await problemOf(unnamed)).code).toBe("PRECONDITION_REQUIRED");
    expect((await details()).name).toBe("First");
  });

  test("is refused with what is there where If-Match names no version, as in the ETag of another server", async () => {
    const { version } = await details();
    const foreign = await publish(yamlOf({ name: "Second" }), '"2"');
    expect([foreign.status, foreign.headers.get("etag")]).toEqual([412, `"v${version}"`]);
    expect((await problemOf(foreign)).detail).toContain(`"v${version}"`);
  });

  test("comes to the same when it is asked for twice", async () => {
    const { etag, version } = await details();
    const yaml = yamlOf({ name: "Twice" });
    expect((await publish(yaml, etag)).status).toBe(200);
    expect((await publish(yaml, etag)).status).toBe(200);
    expect((await details()).version).toBe(version + 1);
  });

  test("a change of comments alone is a version, so that of two editors the second hears of the first", async () => {
    const { etag, yaml, version } = await details();
    const commented = await publish(`${yaml}# by ann\n`, etag);
    expect([commented.status, commented.headers.get("etag")]).toEqual([200, `"v${version + 1}"`]);
    expect((await publish(`${yaml}# by bob\n`, etag)).status).toBe(412);
    expect((await details()).yaml).toBe(`${yaml}# by ann\n`);
  });

  test("drops the draft whose revision it names, and leaves one that was saved since", async () => {
    const { etag, version } = await details();
    const save = (yaml: string, headers = {}) =>
      editor.ask("PUT", "/bots/shop/draft", { body: { yaml, baseVersion: version }, headers });
    const first = await save(yamlOf({ name: "Drafted" }));
    const { revision: draft } = (await first.json()) as BotDraft;
    expect(first.headers.get("etag")).toBe(`"v${draft}"`);
    const second = await save("a colleague's", { "If-Match": first.headers.get("etag")! });
    const published = await publish(yamlOf({ name: "Drafted" }), etag, "shop", { draft });
    expect((await published.json()) as BotDetails).toMatchObject({ name: "Drafted", hasDraft: true });
    const kept = await owner.json<BotDraft>("GET", "/bots/shop/draft");
    expect(kept.yaml).toBe("a colleague's");
    const next = { draft: ((await second.json()) as BotDraft).revision };
    const last = await publish(yamlOf({ name: "Last" }), `"v${version + 1}"`, "shop", next);
    expect((await last.json()) as BotDetails).toMatchObject({ hasDraft: false });
  });

  test("is refused with the place of every mistake, and changes nothing", async () => {
    const before = await details();
    const yaml = "id: shop\nname: Shop\nallowedDomains: [https://x/y]\ncolor: red\n";
    const response = await publish(yaml, before.etag);
    expect(response.status).toBe(422);
    const { errors } = await problemOf(response);
    expect(errors?.map(({ detail }) => detail.split(":")[0])).toEqual([
      "line 3, column 18",
      "line 4, column 1",
    ]);
    expect((await details()).version).toBe(before.version);
  });

  test("keeps the id, and takes no files that only `seed` can read", async () => {
    const { etag } = await details();
    const other = await publish(yamlOf({ id: "another" }), etag);
    expect((await problemOf(other)).detail).toContain("the id of this bot is `shop`");
    const files = await publish(yamlOf({ knowledge: ["docs/"] }), etag);
    expect((await problemOf(files)).detail).toContain("`docs/` is a file or folder");
    expect([other.status, files.status]).toEqual([422, 422]);
  });

  test("keeps the files that a bot file has named", async () => {
    const named = shopBot({ id: "reader", knowledge: ["docs/"] });
    await parley.store.bots.seed([named], SEED);
    const yaml = exportBot({ ...named, name: "Reader" });
    expect((await publish(yaml, '"v1"', "reader")).status).toBe(200);
    expect(await details("reader")).toMatchObject({ name: "Reader", document: { knowledge: ["docs/"] } });
  });

  test("warns of documents that it takes out of the answers, and rolling back brings them back", async () => {
    const named = shopBot({ id: "forgetful", knowledge: ["notes.md"] });
    const { bots, knowledge } = parley.store;
    await bots.seed([named], SEED);
    const { key } = (await bots.find("forgetful"))!;
    const source = { name: "notes.md", origin: "bot-file", folder: "/srv", entry: "notes.md" } as const;
    await knowledge.changeSources(key, () => [source]);
    const document = documentOf("notes.md", ["Tents dry in the air."], { source: "notes.md" });
    await knowledge.saveDocuments(key, [document]);
    const passages = await knowledge.listPassageIds(key);
    const listed = () => editor.json<{ items: { id: string }[] }>("GET", "/bots/forgetful/knowledge");
    const { knowledge: _, ...without } = named;
    const yaml = exportBot(without);
    const warning = {
      severity: "warning" as const,
      message: expect.stringContaining("takes 1 document of `notes.md` out of the answers") as string,
    };
    const checked = await editor.json<BotDetails>("POST", "/bots/forgetful/validate", { yaml });
    expect(checked.mistakes).toEqual([warning]);
    const body = { yaml, crossValidation: false };
    const preview = await progressOf<PublishPreview>(
      await editor.ask("POST", "/bots/forgetful/preview", { body }),
    );
    expect(preview.result.mistakes).toEqual([warning]);

    const generation = (await knowledge.generations()).get(key)!;
    expect((await publish(yaml, '"v1"', "forgetful")).status).toBe(200);
    expect(await knowledge.listPassageIds(key)).toEqual([]);
    expect((await knowledge.generations()).get(key)).toBeGreaterThan(generation);
    expect((await listed()).items).toEqual([]);
    expect((await details("forgetful")).mistakes).toEqual([]);

    const restored = await editor.ask("POST", "/bots/forgetful/versions/1/restore", {
      headers: { "If-Match": '"v2"' },
    });
    expect(restored.status).toBe(200);
    expect(await knowledge.listPassageIds(key)).toEqual(passages);
    expect(await knowledge.listSources(key)).toEqual([source]);
    expect((await listed()).items).toMatchObject([{ id: document.id }]);
  });

  test("leaves a bot enabled that was enabled since its text said otherwise", async () => {
    const bot = shopBot({ id: "sleeper" });
    await parley.store.bots.publish({
      document: { ...bot, enabled: false },
      yaml: exportBot({ ...bot, enabled: false }),
      replaces: 0,
    });
    await editor.json("PATCH", "/bots/sleeper", { enabled: true });
    const yaml = exportBot({ ...bot, name: "Awake", enabled: false });
    expect((await publish(yaml, '"v1"', "sleeper")).status).toBe(200);
    expect(await details("sleeper")).toMatchObject({ name: "Awake", enabled: true });
  });

  test("is not for viewers", async () => {
    const viewer = await signIn(parley, "vic", "viewer");
    const response = await viewer.ask("PUT", "/bots/shop", { body: { yaml: yamlOf() } });
    expect(response.status).toBe(403);
  });
});

describe("a bot", () => {
  test("is made, talked to, disabled and deleted with all that was said", async () => {
    const yaml = exportBot(shopBot({ id: "fresh" }));
    const made = await editor.ask("POST", "/bots", { body: { yaml } });
    expect([made.status, made.headers.get("etag")]).toEqual([201, '"v1"']);
    const again = await editor.ask("POST", "/bots", { body: { yaml } });
    expect([again.status, (await problemOf(again)).code]).toEqual([409, "CONFLICT"]);
    expect((await editor.ask("DELETE", "/bots/fresh")).status).toBe(403);
    expect((await owner.ask("DELETE", "/bots/fresh")).status).toBe(204);
    expect((await owner.ask("GET", "/bots/fresh")).status).toBe(404);
  });

  test("is deleted at once however much was said to it, and what it left is erased behind", async () => {
    const { store } = parley;
    await owner.ask("POST", "/bots", { body: { yaml: "id: chatty\nname: Chatty\nallowedDomains: ['*']\n" } });
    const { key } = (await store.bots.find("chatty"))!;
    for (let n = 0; n < 60; n += 1) {
      const requestId = `rq_chatty_${n}` as RequestId;
      const turn = turnWith({ requestId, at: Date.now(), input: "hello" });
      await store.recordTurn({ bot: key, conversationId: `cv_chatty_${n}` as ConversationId, turn });
    }
    expect((await owner.ask("DELETE", "/bots/chatty")).status).toBe(204);
    expect((await owner.ask("DELETE", "/bots/chatty")).status).toBe(404);
    expect((await owner.ask("GET", "/conversations/cv_chatty_1")).status).toBe(404);
    await eventually(async () => (await store.bots.listDeleted()).length === 0);
    expect(await store.conversations.count(key)).toEqual({ conversations: 0, messages: 0 });
  });

  test("takes its conversations along when it is deleted, and visitors find it no more", async () => {
    const { conversationId } = await parley.say("where is my order", { botId: "doomed" });
    await parley.say("where is my order", { botId: "doomed" });
    expect((await owner.ask("DELETE", "/bots/doomed")).status).toBe(204);
    expect(await parley.store.conversations.listTurns(conversationId)).toEqual([]);
    const [change] = await parley.store.changes.list({ limit: 1 });
    expect(change).toMatchObject({
      kind: "bot.deleted",
      by: { name: "olga" },
      fields: expect.arrayContaining([{ field: "conversations", before: 2, after: 0 }]) as unknown,
    });
    await eventually(async () => {
      const response = await parley.chat({ botId: "doomed", input: "hello" });
      return response.status === 404 || response.status === 403;
    });
  });
});

describe("rolling back", () => {
  test("publishes an earlier version as a new one, with its text", async () => {
    const first = await details("other");
    await publish(yamlOf({ id: "other", name: "Changed" }), first.etag, "other");
    const changed = await details("other");
    const response = await editor.ask("POST", "/bots/other/versions/1/restore", {
      headers: { "If-Match": changed.etag },
    });
    expect(response.status).toBe(200);
    expect(await details("other")).toMatchObject({ version: changed.version + 1, name: "Shop" });
    const { items } = await editor.json<{ items: object[] }>("GET", "/bots/other/versions");
    expect(items.slice(0, 2)).toMatchObject([{ restoredFrom: 1, origin: "console" }, { origin: "console" }]);
    const { items: changes } = await editor.json<{ items: { fields: object[] }[] }>(
      "GET",
      "/audit?bot=other",
    );
    expect(changes[0]!.fields).toContainEqual({ field: "restoredFrom", after: 1 });
    const old = await editor.json("GET", `/bots/other/versions/${changed.version}`);
    expect(old).toMatchObject({
      yaml: yamlOf({ id: "other", name: "Changed" }),
      document: { name: "Changed" },
    });
  });

  test("is refused where another version was published since, and knows no version that never was", async () => {
    const restore = (version: number, etag: string) =>
      editor.ask("POST", `/bots/other/versions/${version}/restore`, { headers: { "If-Match": etag } });
    expect((await restore(2, '"v1"')).status).toBe(412);
    expect((await restore(99, (await details("other")).etag)).status).toBe(404);
  });
});

describe("a draft", () => {
  const save = (yaml: string, headers: Record<string, string> = {}) =>
    editor.ask("PUT", "/bots/other/draft", { body: { yaml, baseVersion: 1 }, headers });

  test("is saved, also with mistakes, and seen by others", async () => {
    const response = await save("id: [");
    expect(response.status).toBe(200);
    const seen = await owner.ask("GET", "/bots/other/draft");
    expect((await seen.json()) as BotDraft).toMatchObject({ yaml: "id: [", updatedBy: "ed", baseVersion: 1 });
    expect(seen.headers.get("etag")).toBe(response.headers.get("etag"));
    expect((await details("other")).hasDraft).toBe(true);
  });

  test("of somebody else is not overwritten", async () => {
    const first = (await owner.ask("GET", "/bots/other/draft")).headers.get("etag")!;
    expect((await save("mine", { "If-Match": first })).status).toBe(200);
    const clash = await save("theirs", { "If-Match": first });
    expect(clash.status).toBe(412);
    expect((await save("unseen")).status).toBe(428);
    const kept = await owner.ask("GET", "/bots/other/draft");
    expect(await kept.json()).toMatchObject({ yaml: "mine" });
    expect(clash.headers.get("etag")).toBe(kept.headers.get("etag"));
  });

  test("is discarded by who has seen it", async () => {
    const { headers } = await owner.ask("GET", "/bots/other/draft");
    const discard = (etag: string) =>
      editor.ask("DELETE", "/bots/other/draft", { headers: { "If-Match": etag } });
    expect((await discard('"v1"')).status).toBe(412);
    expect((await discard(headers.get("etag")!)).status).toBe(204);
    expect((await owner.ask("GET", "/bots/other/draft")).status).toBe(204);
  });
});

describe("checking what was written", () => {
  const validate = (yaml: string) =>
    editor.json<{ mistakes: BotMistake[]; document?: object }>("POST", "/bots/shop/validate", { yaml });

  test("tells mistakes and warnings with their places, and the document where there is one", async () => {
    expect(await validate("id: shop\nname: Shop\n")).toMatchObject({
      mistakes: [{ line: 1, severity: "error" }],
    });
    const sound = await validate(yamlOf());
    expect(sound.document).toMatchObject({ id: "shop" });
    expect(sound.mistakes.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("warns of a webhook and a model server that the configuration does not have, and of hours that are none", async () => {
    const text = "id: shop\nname: Shop\nallowedDomains: []\nhandoff:\n  webhook: crm\n";
    const { mistakes } = await validate(text);
    expect(mistakes).toContainEqual({
      line: 5,
      column: 12,
      severity: "warning",
      message: "the configuration has no webhook `crm`, so that it notifies nobody of hand-offs",
    });
    const ofModel = await validate(yamlOf({ responder: { kind: "model", models: ["local"] } }));
    expect(ofModel.mistakes.map(({ message }) => message)).toContain(
      "the configuration has no model server `local`, which is never asked",
    );
    const hours = await validate(`${text}  hours:\n    timezone: Berlin\n    open: [Mo 17:00-09:00]\n`);
    expect(hours.mistakes.filter(({ severity }) => severity === "error")).toMatchObject([
      { line: 7, column: 15, message: expect.stringContaining("is not a time zone") },
      { line: 8, column: 12, message: expect.stringContaining("ends before it begins") },
    ]);
  });

  test.each([
    [
      "aliases that stand for more and more",
      `a: &a [x, x, x, x, x, x, x, x, x]\n${"bcdefgh"
        .split("")
        .map(
          (name, at) =>
            `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefg"[at]}`).join(", ")}]`,
        )
        .join("\n")}\n`,
      "aliases make this document too large",
    ],
    ["lists in lists", "[".repeat(50_000), "nested more than 100 levels deep"],
    ["9 MB", `# ${"x".repeat(9_000_000)}\n`, "larger than 8 MiB"],
    ["several bots", "id: a\n---\nid: b\n", ""],
  ])("bears %s", async (_, yaml, message) => {
    const { mistakes } = await validate(yaml);
    expect(mistakes.map((mistake) => mistake.message).join("\n")).toContain(message);
    expect(mistakes.some(({ severity }) => severity === "error")).toBe(true);
    expect((await parley.say("where is my order", { botId: "other" })).response).not.toBe("");
  });
});

describe("whoever may not change bots", () => {
  const BODIES: readonly (readonly [string, object])[] = [
    ["validate", {}],
    ["try", { input: "where is my order" }],
    ["tests", {}],
    ["review", {}],
    ["preview", { crossValidation: false }],
  ];
  let viewer: TestOperator;
  const statuses = (yaml: string) =>
    Promise.all(
      BODIES.map(async ([route, body]) => {
        const response = await viewer.ask("POST", `/bots/other/${route}`, { body: { ...body, yaml } });
        const text = await response.text();
        return [route, response.status, response.ok || (JSON.parse(text) as { detail: string }).detail];
      }),
    );
  const each = (status: number, detail: string | true) => BODIES.map(([route]) => [route, status, detail]);

  beforeAll(async () => {
    viewer = await signIn(parley, "vera", "viewer");
  });

  test("has no new text read, tried, tested or trained from", async () => {
    const why =
      "A text that is neither published nor saved as the draft requires the permission `bots.write`; an owner can grant it.";
    expect(await statuses(yamlOf({ id: "other", name: "New" }))).toEqual(each(403, why));
  });

  test("tries and looks at what is published, and at the draft as it is saved", async () => {
    const published = (await details("other")).yaml;
    expect(await statuses(published)).toEqual(each(200, true));
    const yaml = yamlOf({ id: "other", name: "Saved" });
    await editor.json("PUT", "/bots/other/draft", { yaml, baseVersion: 1 });
    expect(await statuses(yaml)).toEqual(each(200, true));
    const { response } = await viewer.json<TryResult>("POST", "/bots/other/try", { input: "hi" });
    expect(response).not.toBe("");
    await editor.ask("DELETE", "/bots/other/draft", { headers: { "If-Match": await draftTag("other") } });
  });
});

async function draftTag(bot: string): Promise<string> {
  return (await editor.ask("GET", `/bots/${bot}/draft`)).headers.get("etag")!;
}

describe("a text with thousands of mistakes", () => {
  test("is answered with the first ones, and how many more there are", async () => {
    const unknown = Array.from({ length: 5000 }, (_, at) => `x${at}: 1\n`).join("");
    const response = await editor.ask("POST", "/bots/shop/validate", { body: { yaml: unknown } });
    const text = await response.text();
    const { mistakes } = JSON.parse(text) as { mistakes: BotMistake[] };
    expect(mistakes).toHaveLength(201);
    expect(mistakes.at(-1)!.message).toBe("and 4803 more problems in this file");
    expect(text.length).toBeLessThan(200_000);
    const refused = await problemOf(await publish(unknown, '"v1"'));
    expect(refused.detail).toStartWith("The bot has more than 200 mistakes: ");
  });
});

describe("publishing", () => {
  test("waits for nobody who only has drafts checked", async () => {
    await editor.json("POST", "/bots", { yaml: yamlOf({ id: "hurried" }) });
    const intents = Array.from({ length: 2000 }, (_, place) => ({
      name: `many.of${place}`,
      examples: [`number ${place} of them`],
      responses: ["Yes."],
    }));
    const yaml = yamlOf({ id: "hurried", intents, capabilityProfile: { allow: ["many.*"] } });
    const other = await signIn(parley, "edda", "editor");
    let checked = 0;
    const checks = Array.from({ length: 5 }, async () => {
      const { status } = await other.ask("POST", "/bots/hurried/validate", { body: { yaml } });
      checked += 1;
      return status;
    });
    await eventually(async () => checked > 0);
    const response = await publish(yamlOf({ id: "hurried", name: "Soon" }), '"v1"', "hurried");
    expect([response.status, checked < 5]).toEqual([200, true]);
    expect(await Promise.all(checks)).toEqual(Array.from({ length: 5 }, () => 200));
  });
});

describe("a preview", () => {
  const preview = (yaml: string, bot = "previewed") =>
    editor.ask("POST", `/bots/${bot}/preview`, { body: { yaml } });

  beforeAll(async () => {
    const bot = shopBot({ id: "previewed" });
    await editor.json("POST", "/bots", { yaml: exportBot(bot) });
    const token = await parley.issueToken(["previewed"]);
    const say = (input: string) => parley.chat({ botId: "previewed", input }, { token });
    await eventually(async () => (await say("where is my order")).status === 200);
    for (const input of ["tell me a joke", "delete my account", "tell me a joke", "xyzzy plugh"])
      await say(input);
  });

  test("finds a refusal that becomes an answer, an answer that is lost, and nothing else", async () => {
    const yaml = yamlOf({ id: "previewed", capabilityProfile: { allow: ["jokes.*", "account.*"] } });
    const { result, steps, parts } = await progressOf<PublishPreview>(await preview(yaml));
    const { crossValidation: _, tookMs: __, ...changes } = result;
    expect(parts).toMatchObject([{ result: changes }]);
    expect(parts[0]!.result).not.toHaveProperty("crossValidation");
    expect(result).toMatchObject({ baseVersion: 1, messages: 5, distinct: 4, replacesFile: false });
    expect(result.newlyAnswered.map(({ text, times }) => [text, times])).toEqual([
      ["tell me a joke", 2],
      ["delete my account", 1],
    ]);
    expect(result.newlyAnswered[0]).toMatchObject({
      before: { outcome: "refused", intent: "jokes.tell", reason: "NOT_IN_ALLOW_LIST" },
      after: { outcome: "answered", intent: "jokes.tell", reason: null },
    });
    expect(result.worse).toMatchObject([{ text: "where is my order", after: { outcome: "refused" } }]);
    expect([result.improved, result.moved]).toEqual([[], []]);
    expect(new Set(steps.map(({ step }) => step))).toEqual(new Set(["checking", "training", "messages"]));
    expect((await details("previewed")).version).toBe(1);
  });

  test("runs the tests of the draft", async () => {
    const tests = [
      { utterance: "where is my order", intent: "orders.status" },
      { utterance: "tell me a joke", decision: "allowed" as const },
    ];
    const { result } = await progressOf<PublishPreview>(await preview(yamlOf({ id: "previewed", tests })));
    expect(result.tests).toEqual([
      { test: 1, passed: true, utterance: "where is my order", mismatches: [] },
      {
        test: 2,
        passed: false,
        utterance: "tell me a joke",
        mismatches: [{ field: "decision", expected: "allowed", got: "NOT_IN_ALLOW_LIST" }],
      },
    ]);
  });

  test("of a faulty draft is its mistakes", async () => {
    const { result } = await progressOf<PublishPreview>(await preview("id: previewed\n"));
    expect(result.mistakes.length).toBeGreaterThan(0);
    expect(result).toMatchObject({ tests: [], messages: 0 });
  });

  test("stops when nobody waits for it, and the next one is made", async () => {
    const leaving = new AbortController();
    const yaml = yamlOf({ id: "previewed", name: "Left" });
    const left = fetch(`${parley.server.localOperatorUrl}/api/v1/bots/previewed/preview`, {
      method: "POST",
      headers: { ...editor.credentials, "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
      body: JSON.stringify({ yaml }),
      signal: leaving.signal,
    });
    await left;
    leaving.abort();
    const { last } = await progressOf<PublishPreview>(await preview(yaml));
    expect(last.kind).toBe("result");
  });
});

describe("tests and review", () => {
  test("of a draft with mistakes are refused as its publication is, with the mistakes", async () => {
    for (const path of ["tests", "review"]) {
      const refused = await editor.ask("POST", `/bots/shop/${path}`, { body: { yaml: "a: 1" } });
      expect([refused.status, await refused.json()]).toMatchObject([422, { code: "INVALID_REQUEST" }]);
    }
  });

  test("of the published version need no draft", async () => {
    const tests = await progressOf<{ tests: unknown[] }>(
      await editor.ask("POST", "/bots/shop/tests", { body: {} }),
    );
    expect(tests.result).toEqual({ tests: [] });
    const review = await progressOf<object>(await editor.ask("POST", "/bots/shop/review", { body: {} }));
    expect(review.result).toMatchObject({
      grade: null,
      judged: 0,
      warnings: [expect.stringContaining("few examples")],
    });
  });
});

test("a review warns of answers that contradict a document, with both sentences", async () => {
  const examples = ["is the repair desk open late on thursdays", "until when is the repair desk open"];
  const hours = { name: "hours", examples, responses: ["The repair desk is open until 6 pm."] };
  const named = shopBot({ id: "desk", language: "en", knowledge: ["notes.md"], intents: [hours], tests: [] });
  const { bots, knowledge } = parley.store;
  await bots.seed([named], SEED);
  const { key } = (await bots.find("desk"))!;
  const source = { name: "notes.md", origin: "bot-file", folder: "/srv", entry: "notes.md" } as const;
  await knowledge.changeSources(key, () => [source]);
  const passages = [
    "On Thursdays the repair desk is open late, until 8 pm.",
    "Brush tents, and let them dry in the air.",
    "Gift cards are sent by post.",
  ];
  await knowledge.saveDocuments(key, [documentOf("notes.md", passages, { source: "notes.md" })]);
  const { result } = await progressOf<{ warnings: string[] }>(
    await editor.ask("POST", "/bots/desk/review", { body: {} }),
  );
  expect(result.warnings).toContain(
    "hours answers “The repair desk is open until 6 pm.”, and notes.md says “On Thursdays the repair desk is open late, until 8 pm.”. These may contradict each other. If both are right, say so in the answer.",
  );
});

describe("trying a bot", () => {
  const say = (body: object, bot = "tried") => editor.json<TryResult>("POST", `/bots/${bot}/try`, body);

  beforeAll(async () => {
    await editor.json("POST", "/bots", { yaml: exportBot(shopBot({ id: "tried", monthlyMessageCap: 1 })) });
  });

  test("answers as visitors are answered, with the receipt, and stores and counts nothing", async () => {
    for (let times = 0; times < 3; times++) {
      const tried = await say({ input: "where is my order" });
      expect(tried).toMatchObject({
        response: "It is on its way.",
        intent: "orders.status",
        outcome: "answered",
      });
      expect(tried.receipt.verdict).toStartWith("Answered with orders.status");
    }
    expect((await details("tried")).messages).toBe(0);
    const { key } = (await parley.store.bots.find("tried"))!;
    expect(await parley.store.conversations.count(key)).toEqual({ conversations: 0, messages: 0 });
  });

  test("goes on from what was said before", async () => {
    const first = await say({ input: "where is my order" });
    const second = await say({ input: "where is my order", before: ["where is my order"] });
    expect([first.response, second.response]).toEqual(["It is on its way.", "Shop sent it yesterday."]);
    const anew = await say({ input: "where is my order", before: ["where is my order"] });
    expect(anew.response).toBe("Shop sent it yesterday.");
  });

  test("takes no longer message than the bot takes from visitors, and none before it that no bot takes", async () => {
    const refused = async (body: object) => {
      const response = await editor.ask("POST", "/bots/tried/try", { body });
      return [response.status, ((await response.json()) as { errors?: object[] }).errors?.[0]];
    };
    const tooLong = { pointer: "/input", maxLength: 4000 };
    expect(await refused({ input: "a".repeat(4001) })).toEqual([400, expect.objectContaining(tooLong)]);
    const yaml = yamlOf({ id: "tried", maxInputLength: 10 });
    expect(await refused({ input: "where is my order", yaml })).toEqual([
      400,
      expect.objectContaining({ pointer: "/input", maxLength: 10 }),
    ]);
    for (const said of ["a".repeat(16_001), ""]) {
      expect(await refused({ input: "hi", before: ["hi", said] })).toEqual([
        400,
        expect.objectContaining({ pointer: "/before/1" }),
      ]);
    }
    const long = "a".repeat(4001);
    const most = yamlOf({ id: "tried", maxInputLength: 16_000 });
    expect(await say({ input: "where is my order", before: [long], yaml: most })).toMatchObject({
      outcome: "answered",
    });
  });

  test("by a draft says what the draft would", async () => {
    const yaml = yamlOf({ id: "tried", capabilityProfile: { allow: ["jokes.*"] } });
    expect(await say({ input: "tell me a joke", yaml })).toMatchObject({
      response: "Knock, knock.",
      outcome: "answered",
    });
    expect(await say({ input: "tell me a joke" })).toMatchObject({
      response: "Orders only, please.",
      outcome: "refused",
    });
    const faulty = await editor.ask("POST", "/bots/tried/try", { body: { input: "hi", yaml: "a: 1" } });
    expect(faulty.status).toBe(422);
  });
});

describe("trying a bot that asks models", () => {
  test("asks none for whoever may not check them, of a draft or as it is published, and says so", async () => {
    await using model = await startModelServer();
    model.replyWith(says("The model says so."));
    await using other = await startParley({
      bots: [shopBot({ responder: { kind: "model" } })],
      flags: { models: JSON.stringify({ local: { baseUrl: model.baseUrl, model: "tiny" } }) },
    });
    const boss = await signIn(other, "boss");
    const say = (who: TestOperator, yaml?: string) =>
      who.json<TryResult>("POST", "/bots/shop/try", { input: "where is my order", yaml });
    const mayNot = [
      await signIn(other, "reader", "viewer"),
      await keyOf(other, boss, ["read", "bots.write"]),
    ];
    const draft = yamlOf({ responder: { kind: "model" }, classifier: { judge: { model: "local" } } });
    await boss.json("PUT", "/bots/shop/draft", { yaml: draft, baseVersion: 1 });
    for (const who of mayNot) {
      for (const yaml of [undefined, draft]) {
        const { response, receipt } = await say(who, yaml);
        expect(response).toBe("It is on its way.");
        expect(receipt.advice).toContain("No model server was asked");
      }
    }
    expect(model.requests).toEqual([]);
    for (const who of [boss, await keyOf(other, boss, ["read", "models.check"])]) {
      expect((await say(who)).response).toBe("The model says so.");
    }
    expect(model.requests).toHaveLength(2);
  });
});

describe("the explanation of a turn", () => {
  const explain = (requestId: string) => editor.json<ReceiptView>("GET", `/turns/${requestId}/explanation`);

  test("that a person got says that one was there, and nothing of a decision", async () => {
    const conversationId = "cv_person" as ConversationId;
    await askPerson(parley.store, { conversationId, at: Date.now(), said: ["delete my account"] });
    const [turn] = await parley.store.conversations.listTurns(conversationId);
    const view = await explain(turn!.requestId);
    expect(view).toMatchObject({
      verdict: expect.stringContaining("A person was there"),
      rule: "handed-over",
      intent: null,
      scores: [],
      steps: [],
    });
    expect(view).not.toHaveProperty("agrees");
    expect(view).not.toHaveProperty("advice");
  });
  async function requestOf(input: string, botId = "explained"): Promise<string> {
    const token = await parley.issueToken([botId]);
    let requestId = "";
    await eventually(async () => {
      const response = await parley.chat({ botId, input }, { token });
      requestId = response.headers.get("x-request-id")!;
      return response.status === 200;
    });
    return requestId;
  }

  beforeAll(async () => {
    const capabilityProfile = {
      allow: ["orders.*"],
      deny: ["account.delete"],
      denyTerms: ["forbidden fruit"],
    };
    await editor.json("POST", "/bots", { yaml: exportBot(shopBot({ id: "explained", capabilityProfile })) });
  });

  test("says what was decided, and on what", async () => {
    const view = await explain(await requestOf("where is my order"));
    expect(view).toMatchObject({
      outcome: "answered",
      intent: "orders.status",
      reason: null,
      rule: "best-intent",
      agrees: true,
      nearest: { intent: "orders.status", text: "where is my order" },
    });
    expect(view.scores.map(({ name }) => name)).toEqual(["deny", "match"]);
    expect(view.intents[0]).toMatchObject({ intent: "orders.status", isAllowed: true });
    expect(view.words.map(({ word }) => word).join(" ")).toContain("order");
    const decided = view.steps.findIndex(({ result }) => result === "decided");
    expect(view.steps[decided]!.step).toBe("A matching intent");
    expect(view.steps.slice(0, decided).every(({ result }) => result === "passed")).toBe(true);
    expect(view.steps.slice(decided + 1).every(({ result }) => result === "not-reached")).toBe(true);
  });

  test("shows the words that decided", async () => {
    const input = "Well, could I have Forbidden  Fruit, please?";
    const view = await explain(await requestOf(input));
    expect(view).toMatchObject({ outcome: "refused", rule: "deny-term" });
    expect(view.verdict).toContain('term "forbidden fruit"');
    expect(input.slice(view.decidedBy!.from, view.decidedBy!.to)).toBe("Forbidden  Fruit");
  });

  test("trains a version whose model is no longer kept once, and nothing for a client that has left", async () => {
    const requestId = await requestOf("where is my order");
    await using workshop = new Workshop({
      store: parley.store,
      configured: { webhooks: [], models: [], endpoints: {} },
      bundles: () => ({ cdnUrl: "http://localhost/cdn", templateOrigins: [] }),
      openRehearsal: () => Promise.reject(new Error("nothing is rehearsed")),
    });
    using isKept = spyOn(parley.store, "hasIntentModel").mockImplementation(async () => false);
    await expect(workshop.explain(requestId, AbortSignal.abort(new Error("left")))).rejects.toThrow("left");
    expect(isKept).toHaveBeenCalledTimes(0);
    const { signal } = new AbortController();
    const [one, other] = await Promise.all([1, 2].map(() => workshop.explain(requestId, signal)));
    expect(one).toMatchObject({ intent: "orders.status", agrees: true });
    expect(other).toEqual(one);
    expect(isKept).toHaveBeenCalledTimes(1);
  });

  test("knows no turn that never was", async () => {
    expect((await editor.ask("GET", "/turns/rq_none/explanation")).status).toBe(404);
  });
});

describe("documents", () => {
  const upload = (name: string, text: string, bot = "informed") => {
    const form = new FormData();
    form.set("file", new File([text], name));
    return fetch(`${parley.server.localOperatorUrl}/api/v1/bots/${bot}/knowledge`, {
      method: "POST",
      headers: { ...editor.credentials, "Sec-Fetch-Site": "same-origin" },
      body: form,
    });
  };
  const listed = async () =>
    (await editor.json<{ items: { id: string; source: string }[] }>("GET", "/bots/informed/knowledge")).items;
  const RETURNS = "# Returns\n\nYou may send back shoes within sixty days, unworn, in their box.\n";

  beforeAll(async () => {
    await editor.json("POST", "/bots", {
      yaml: exportBot(shopBot({ id: "informed", capabilityProfile: { allow: ["orders.*", "knowledge"] } })),
    });
  });

  test("are uploaded, answered from within a second, replaced by name, and deleted", async () => {
    const response = await upload("returns.md", RETURNS);
    expect(response.status).toBe(201);
    const document = (await response.json()) as { id: string };
    expect(document).toMatchObject({ source: "returns.md", title: "Returns", passages: 1, isUploaded: true });
    const token = await parley.issueToken(["informed"]);
    const ask = async () => {
      const body = { botId: "informed", input: "How long may I send back shoes?" };
      const answer = await parley.chat(body, { token });
      return JSON.stringify(await answer.json());
    };
    await eventually(async () => (await ask()).includes("sixty days"));
    await upload("returns.md", RETURNS.replace("sixty", "ninety"));
    expect(await listed()).toHaveLength(1);
    await eventually(async () => (await ask()).includes("ninety days"));
    expect((await editor.ask("DELETE", `/bots/informed/knowledge/${document.id}`)).status).toBe(204);
    expect(await listed()).toEqual([]);
    await eventually(async () => !(await ask()).includes("ninety days"));
  });

  test("without a name are refused, and are no defect", async () => {
    const response = await fetch(`${parley.server.localOperatorUrl}/api/v1/bots/informed/knowledge`, {
      method: "POST",
      headers: {
        ...editor.credentials,
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "multipart/form-data; boundary=b",
      },
      body: '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\nText.\r\n--b--\r\n',
    });
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({ errors: [{ pointer: "/file" }] });
  });

  test("that cannot be read are refused with the reason", async () => {
    for (const [name, text, reason] of [
      ["photo.png", "x", "The document is not Markdown, HTML, text, PDF, DOCX, CSV or JSON"],
      ["empty.md", "", "The document is empty."],
      ["broken.pdf", "no pdf", "The document is not a readable PDF (Invalid PDF structure)."],
    ] as const) {
      const response = await upload(name, text);
      expect(response.status).toBe(400);
      expect((await problemOf(response)).detail).toContain(reason);
    }
  });

  test.each([
    ["eight", 8, 1000],
    ["three of 20 MB", 3, 20_000_000],
  ])(
    "are refused before they are read while %s are under way, and taken again after",
    async (_, most, length) => {
      const { hostname, port, host } = new URL(parley.server.localOperatorUrl);
      const credentials = Object.entries(editor.credentials).map(([name, value]) => `${name}: ${value}\r\n`);
      const entered = spyOn(UploadQueue.prototype, "enter");
      const underWay = Array.from({ length: most }, () => {
        const socket = connect(Number(port), hostname);
        socket.write(
          `POST /api/v1/bots/informed/knowledge HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: same-origin\r\n${credentials.join("")}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n--b\r\n`,
        );
        return socket;
      });
      try {
        await eventually(async () => entered.mock.calls.length === most);
        const refused = await upload("late.txt", "x".repeat(Math.min(length, 10_000_000)));
        expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([503, 5]);
        expect(await problemOf(refused)).toMatchObject({ code: "OVERLOADED" });
      } finally {
        entered.mockRestore();
        for (const socket of underWay) socket.destroy();
      }
      await eventually(async () => (await upload("late.txt", "It is open late.")).status === 201);
      const late = (await listed()).find(({ source }) => source === "late.txt");
      await editor.json("DELETE", `/bots/informed/knowledge/${late!.id}`);
    },
  );

  test("are read one after another, however many come at once", async () => {
    const running: string[] = [];
    let most = 0;
    const original = Reflect.get(ParseThread.prototype, "parse");
    const parse = spyOn(ParseThread.prototype, "parse").mockImplementation(async function (
      this: ParseThread,
      raw,
    ) {
      most = Math.max(most, running.push("one"));
      const news = await original.call(this, raw);
      running.pop();
      return news;
    });
    const names = ["a.txt", "b.txt", "c.txt", "d.txt"];
    const done = await Promise.all(names.map((name) => upload(name, `The ${name} is open.`)));
    parse.mockRestore();
    expect([done.map(({ status }) => status), most]).toEqual([[201, 201, 201, 201], 1]);
    for (const { id } of await listed()) await editor.json("DELETE", `/bots/informed/knowledge/${id}`);
  });

  test("stay when the bot is seeded from a file, and are told apart from the file's", async () => {
    await upload("kept.txt", "The shop in Springfield is open until nine in the evening.");
    const stdin = exportBot(shopBot({ id: "informed", name: "From a file" }));
    const seeding = await runInTerminal(["seed", "-", "--force"], { env: parley.env, stdin });
    expect(seeding.exitCode).toBe(0);
    expect(await listed()).toMatchObject([{ source: "kept.txt", isUploaded: true }]);
    expect((await editor.ask("DELETE", "/bots/informed/knowledge/nothing")).status).toBe(404);
  });
});

describe("seeding after a change in the console", () => {
  test("is refused, and takes nothing back", async () => {
    const bot = shopBot({ id: "seeded" });
    await parley.store.bots.seed([bot], SEED);
    expect((await publish(yamlOf({ id: "seeded", name: "By hand" }), '"v1"', "seeded")).status).toBe(200);
    await expect(parley.store.bots.seed([bot], SEED)).rejects.toThrow(ConsoleChangesError);
    expect(await details("seeded")).toMatchObject({ name: "By hand", origin: "console" });
    await parley.store.bots.seed([bot], { ...SEED, force: true });
    expect(await details("seeded")).toMatchObject({ name: "Shop", origin: "file" });
  });
});
