import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { TryRequest, TryResult } from "../../src/domain/operator/conversations.ts";
import { exportBot } from "../../src/seed/export-bot.ts";
import { botWith, shopBot, type WrittenFields } from "../support/bots.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { documentOf } from "../support/knowledge.ts";
import {
  fails,
  holds,
  type Reply,
  says,
  startModelServer,
  type TestModelServer,
} from "../support/model-server.ts";
import { signIn, type TestOperator } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

const ORDER = "where is my order";
const BY_MODEL: WrittenFields = { responder: { kind: "model" } };
/** Asks for everything that a model server can be asked for. */
const ASKING: WrittenFields = {
  ...BY_MODEL,
  classifier: { embeddings: { model: "local" }, judge: { model: "local", band: 0.5 } },
};

let model: TestModelServer;
let parley: TestParley;
let ann: TestOperator;
let ben: TestOperator;
/** Lines of the log that tell of a defect. */
const defects: object[] = [];

beforeAll(async () => {
  model = await startModelServer();
  parley = await startParley({
    bots: [
      shopBot(BY_MODEL),
      shopBot({ id: "asking", ...ASKING }),
      shopBot({ id: "sure", classifier: { judge: { model: "local", band: 0 } } }),
      shopBot({ id: "judging", classifier: { judge: { model: "local", band: 0.5 } } }),
      shopBot({ id: "plain" }),
      botWith({
        id: "reading",
        responder: { kind: "model" },
        knowledge: ["docs/"],
        capabilityProfile: { allow: ["knowledge"] },
      }),
    ],
    onLog: (line) => void (Number(line["level"]) >= 50 && defects.push(line)),
    flags: {
      models: JSON.stringify({ local: { baseUrl: model.baseUrl, model: "tiny", timeoutMs: HANG_MS } }),
    },
  });
  const { key } = (await parley.store.bots.find("reading"))!;
  await parley.store.knowledge.saveDocuments(key, [
    documentOf("tents.md", ["How do tents dry? Tents dry in the air, within a day."]),
  ]);
  [ann, ben] = [await signIn(parley, "ann"), await signIn(parley, "ben")];
});
beforeEach(() => model.replyWith(says("The model says so.")));
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const say = (body: TryRequest, { who = ann, bot = "shop" } = {}) =>
  who.json<TryResult>("POST", `/bots/${bot}/try`, body);
const judge = (body: TryRequest, options?: Parameters<typeof say>[1]) =>
  say({ ...body, judgeOnly: true }, options);
const draftOf = (fields: WrittenFields, id = "shop") => exportBot(shopBot({ id, ...fields }));
/** What the model was told, but for its instructions, of each request. */
const told = () => model.requests.map(({ body }) => body.messages.slice(1).map(({ content }) => content));

describe("judging what somebody types", () => {
  test("asks no model server, and says which would be asked for what", async () => {
    const judged = async (input: string, bot: string) => {
      const { response, outcome, wouldAsk = [], conversation } = await judge({ input }, { bot });
      expect(conversation).toBeUndefined();
      return [response, outcome, ...wouldAsk];
    };
    expect(await judged(ORDER, "shop")).toEqual(["", "answered", "answer"]);
    expect(await judged(ORDER, "asking")).toEqual(["", "answered", "intent", "answer"]);
    expect(await judged("my Sendung please", "asking")).toContain("intent");
    expect(await judged("delete my account", "asking")).toEqual(["That is not for a bot to do.", "refused"]);
    expect(await judged("hello", "shop")).toEqual([expect.any(String), "answered"]);
    expect(await judged(ORDER, "sure")).toEqual(["It is on its way.", "answered"]);
    expect(await judged("how do tents dry", "reading")).toEqual([
      expect.stringContaining("Tents dry in the air"),
      "answered",
      "answer",
    ]);
    const { wouldAsk } = await judge({ input: ORDER, yaml: draftOf(ASKING) });
    expect(wouldAsk).toEqual(["intent", "answer"]);
    expect(model.requests).toEqual([]);
  });

  test("decides as the message is decided when it is sent: two questions, one of them for a model", async () => {
    const intents = shopBot().intents!.map((intent) =>
      intent.name === "jokes.tell" ? { ...intent, responder: { kind: "model" as const } } : intent,
    );
    const yaml = draftOf({ intents, capabilityProfile: { allow: ["orders.*", "jokes.*"] } });
    const input = "where is my order and tell me a joke";
    const [judged, sent] = [await judge({ input, yaml }), await say({ input, yaml })];
    expect([judged.intent, judged.receipt.rule]).toEqual([sent.intent, sent.receipt.rule]);
  });
});

describe("a conversation with a bot", () => {
  test("is kept: pauses in typing neither say anything again nor become part of it", async () => {
    const first = await say({ input: ORDER });
    const goingOn = { conversation: first.conversation!, before: [ORDER] };
    for (const input of ["track", "track my", "track my parcel please"]) await judge({ input, ...goingOn });
    const second = await say({ input: "track my parcel please", ...goingOn });
    expect(told()).toEqual([[ORDER], [ORDER, "The model says so.", "track my parcel please"]]);
    expect(second.conversation).not.toBe(first.conversation);
  });

  test("can be gone on with from each of its turns, more than once", async () => {
    const { conversation } = await say({ input: ORDER, yaml: draftOf({}) });
    const following = { input: ORDER, yaml: draftOf({}), conversation: conversation! };
    const [one, other] = [await say(following), await say(following)];
    expect([one.response, other.response]).toEqual(["Shop sent it yesterday.", "Shop sent it yesterday."]);
  });

  test("keeps what was said when the draft changes: only the new message is judged by the new draft", async () => {
    const before = draftOf({ ...BY_MODEL, name: "Before" });
    const { conversation } = await say({ input: ORDER, yaml: before });
    model.replyWith(says("Said by the new draft."));
    const after = draftOf({ ...BY_MODEL, capabilityProfile: { allow: ["jokes.*"] } });
    const going = { conversation: conversation!, before: [ORDER], yaml: after };
    expect(await say({ input: ORDER, ...going })).toMatchObject({ outcome: "refused" });
    expect(model.requests).toEqual([]);
    expect(await say({ input: "tell me a joke", ...going })).toMatchObject({ outcome: "answered" });
    expect(told()).toEqual([[ORDER, "The model says so.", "tell me a joke"]]);
  });

  test("that the server does not keep is judged again, without a model", async () => {
    const going = { conversation: "cv_of_another_server", before: [ORDER] };
    const input = "and this one?";
    const follow = await judge({ input, ...going });
    expect(model.requests).toEqual([]);
    expect(follow.receipt.rule).toBe((await judge({ input, before: [ORDER] })).receipt.rule);
    await say({ input: "track my parcel please", ...going });
    expect(told()).toEqual([["track my parcel please"]]);
  });

  test("is known to the bot that it was had with, and to no other", async () => {
    const { conversation } = await say({ input: ORDER }, { bot: "plain" });
    const goOn = (bot: string) => say({ input: ORDER, conversation: conversation! }, { bot });
    expect((await goOn("plain")).response).toBe("Shop sent it yesterday.");
    await goOn("shop");
    expect(told()).toEqual([[ORDER]]);
  });
});

describe("a message that nobody waits for any more", () => {
  test.each<[string, string, string]>([
    ["whose answer a model words", "shop", ORDER],
    ["whose intent a model judges", "judging", ORDER],
    ["that a model answers from documents", "reading", "how do tents dry"],
  ])("is asked of no model any more: one %s", async (_what, bot, input) => {
    const { reply, isAsked, isLeft } = holds();
    model.replyWith(reply);
    const leaving = new AbortController();
    const sent = ann.ask("POST", `/bots/${bot}/try`, { body: { input }, signal: leaving.signal });
    await isAsked;
    leaving.abort(new Error("gone"));
    await expect(sent).rejects.toThrow();
    await isLeft;
    await judge({ input });
    expect(defects).toEqual([]);
  });
});

test("a message that no model answers has failed, though visitors are offered a person", async () => {
  model.replyWith(fails(400));
  const yaml = draftOf({ ...BY_MODEL, handoff: { offer: ["asked"] } });
  expect(await judge({ input: ORDER, yaml })).toMatchObject({ outcome: "answered", wouldAsk: ["answer"] });
  const { outcome, receipt } = await say({ input: ORDER, yaml });
  expect([outcome, receipt.verdict]).toEqual(["failed", expect.stringContaining("no model answered")]);
});

describe("an operator whose model is slow", () => {
  test("keeps nobody else waiting, whatever bots and drafts they try", async () => {
    const held = holds();
    const slowUnlessBen: Reply = (response, request) =>
      request.body.messages.at(-1)!.content === ORDER
        ? held.reply(response, request)
        : says("At once.")(response, request);
    model.replyWith(slowUnlessBen);
    const leaving = new AbortController();
    const drafts = [
      undefined,
      ...["A", "B", "C", "D", "E"].map((name) => draftOf({ ...BY_MODEL, name })),
    ].map((yaml) => (yaml === undefined ? {} : { yaml }));
    const slow = drafts.map((draft) =>
      ann.ask("POST", "/bots/shop/try", { body: { input: ORDER, ...draft }, signal: leaving.signal }),
    );
    const ended = Promise.allSettled(slow);
    await eventually(() => model.requests.length === drafts.length);
    const input = "track my parcel please";
    for (const draft of [...drafts, { yaml: draftOf({ name: "F" }) }]) {
      expect(await judge({ input, ...draft }, { who: ben })).toMatchObject({ outcome: "answered" });
    }
    expect((await say({ input }, { who: ben })).response).toBe("At once.");
    expect((await say({ input: ORDER }, { who: ben, bot: "plain" })).response).toBe("It is on its way.");
    leaving.abort();
    expect((await ended).map(({ status }) => status)).toEqual(drafts.map(() => "rejected"));
  });
});
