import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { BotDraftEditor } from "../../../../src/console/draft/bot-draft.ts";
import { EditedBot, Network } from "../../../support/edited-bot.ts";
import { eventually } from "../../../support/eventually.ts";
import { signIn } from "../../../support/operators.ts";
import { type TestParley, startParley } from "../../../support/parley.ts";

setDefaultTimeout(60_000);

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley[Symbol.asyncDispose]());

const YAML = "name: Acme\n# a comment\nwelcomeMessage: Hi\n# another comment\nallowedDomains: []\n";

/** A bot on a real server, and its text with other words in it. */
async function madeBot() {
  const bot = await EditedBot.make(parley, YAML);
  const text = bot.text(YAML);
  return {
    bot,
    text,
    named: (name: string) => text.replace("Acme", name),
    greeting: (words: string) => text.replace("Hi", words),
    allowing: (domain: string) => text.replace("[]", `[${domain}]`),
  };
}

async function opened(bot: EditedBot, who = "ann", network = new Network()): Promise<BotDraftEditor> {
  const editor = new BotDraftEditor(bot.id, await bot.api(who, network));
  await editor.load();
  return editor;
}

/** Somebody publishes by the API. */
async function publishAs(who: string, { id }: EditedBot, yaml: string): Promise<void> {
  const operator = await signIn(parley, who, "editor");
  const etag = (await operator.ask("GET", `/bots/${id}`)).headers.get("etag")!;
  const answer = await operator.ask("PUT", `/bots/${id}`, { body: { yaml }, headers: { "If-Match": etag } });
  expect(answer.status).toBe(200);
}

const isSaved = (editor: BotDraftEditor) => () => expect(editor.saveState.value).toBe("saved");

describe("a bot while it is edited", () => {
  test("is saved as a draft a moment after it was typed", async () => {
    const { bot, named } = await madeBot();
    const network = new Network();
    const editor = await opened(bot, "ann", network);
    editor.edit(named("A"));
    editor.edit(named("Ac"));
    expect(editor.saveState.value).toBe("unsaved");
    await eventually(isSaved(editor));
    expect(await bot.stored()).toMatchObject({ draft: named("Ac"), by: "ann" });
    expect(network.arrived.filter((route) => route === "PUT /bots/:bot/draft")).toHaveLength(1);
  });

  test("what is typed while it is read again stays, and is saved", async () => {
    const { bot, named } = await madeBot();
    const editor = await opened(bot);
    const reading = editor.load();
    editor.edit(named("A"));
    await reading;
    expect(editor.text.value).toBe(named("A"));
    await eventually(isSaved(editor));
    expect((await bot.stored()).draft).toBe(named("A"));
  });

  test("a text that is as published again leaves no draft", async () => {
    const { bot, named } = await madeBot();
    const editor = await opened(bot);
    editor.edit(named("A"));
    await eventually(isSaved(editor));
    expect(editor.undo()).toBe(true);
    await eventually(isSaved(editor));
    expect((await bot.stored()).draft).toBeUndefined();
    expect(editor.undo()).toBe(false);
  });

  test("forms keep showing what was there before a mistake", async () => {
    const { bot, text, named } = await madeBot();
    const editor = await opened(bot);
    editor.edit("id: [");
    expect([editor.sound.value, editor.isSound.value]).toEqual([text, false]);
    editor.edit(named("A"));
    expect([editor.sound.value, editor.isSound.value]).toEqual([named("A"), true]);
    await editor.settle();
  });

  test("what could not be saved is saved when the server answers again", async () => {
    const { bot, named } = await madeBot();
    const network = new Network();
    const editor = await opened(bot, "ann", network);
    network.loses = "requests";
    editor.edit(named("A"));
    await eventually(() => expect(editor.problem.value?.code).toBe("OFFLINE"));
    network.loses = "nothing";
    await editor.retry();
    expect(editor.problem.value).toBeUndefined();
    expect((await bot.stored()).draft).toBe(named("A"));
  });

  test("is not saved once it is closed, as after somebody else has signed in", async () => {
    const { bot, named } = await madeBot();
    const editor = await opened(bot);
    editor.edit(named("A"));
    editor.close();
    await editor.settle();
    expect((await bot.stored()).draft).toBeUndefined();
  });
});

describe("saving", () => {
  test("goes on after a clash whose other side could not be read", async () => {
    const { bot, named, greeting } = await madeBot();
    const network = new Network();
    const [ann, bob] = [await opened(bot), await opened(bot, "bob", network)];
    ann.edit(named("Ann's"));
    await ann.settle();
    network.failNext("GET /bots/:bot/draft");
    bob.edit(greeting("Hello"));
    await bob.settle();
    expect([bob.saveState.value, bob.problem.value?.status]).toEqual(["failed", 502]);
    await bob.settle();
    expect(bob.clash.value).toMatchObject({ kind: "draft", by: "ann" });
    bob.putMineOnTop();
    await bob.settle();
    expect(await bob.publish()).toMatchObject({ now: { version: 2 } });
    expect((await bot.stored()).yaml).toBe(named("Ann's").replace("Hi", "Hello"));
  });

  test("that is asked for twice at once is no clash with oneself", async () => {
    const { bot, named } = await madeBot();
    const network = new Network();
    const editor = await opened(bot, "ann", network);
    editor.edit(named("A"));
    const held = network.hold("PUT /bots/:bot/draft");
    const first = editor.settle();
    await held.isSent;
    editor.edit(named("Ac"));
    const others = [editor.settle(), editor.settle()];
    const published = editor.publish();
    held.release();
    await Promise.all([first, ...others]);
    expect(await published).toMatchObject({ before: 1, now: { version: 2, yaml: named("Ac") } });
    expect([editor.clash.value, editor.problem.value]).toEqual([undefined, undefined]);
    expect(network.arrived.filter((route) => route === "PUT /bots/:bot/draft")).toHaveLength(2);
  });

  test("of which no answer came is no clash with oneself", async () => {
    const { bot, named } = await madeBot();
    const network = new Network();
    const editor = await opened(bot, "ann", network);
    network.loses = "answers";
    editor.edit(named("A"));
    await editor.settle();
    expect((await bot.stored()).draft).toBe(named("A"));
    network.loses = "nothing";
    editor.edit(named("Ac"));
    await editor.settle();
    expect([editor.clash.value, editor.saveState.value]).toEqual([undefined, "saved"]);
    expect((await bot.stored()).draft).toBe(named("Ac"));
  });
});

describe("publishing", () => {
  test("publishes what was typed last, and leaves no draft", async () => {
    const { bot, named } = await madeBot();
    const editor = await opened(bot);
    editor.edit(named("A"));
    expect(await editor.publish()).toMatchObject({ before: 1, now: { version: 2, yaml: named("A") } });
    expect(await bot.stored()).toMatchObject({ yaml: named("A"), draft: undefined });
    expect(editor.isChanged.value).toBe(false);
  });

  test("what is typed meanwhile becomes the next draft, and can be undone", async () => {
    const { bot, named } = await madeBot();
    const network = new Network();
    const editor = await opened(bot, "ann", network);
    editor.edit(named("A"));
    const held = network.hold("PUT /bots/:bot");
    const publishing = editor.publish();
    await held.isSent;
    editor.edit(named("A and more"));
    held.release();
    expect(await publishing).toMatchObject({ now: { version: 2, yaml: named("A") } });
    expect(editor.text.value).toBe(named("A and more"));
    await editor.settle();
    expect(await bot.stored()).toMatchObject({ version: 2, yaml: named("A"), draft: named("A and more") });
    expect((await opened(bot, "bob")).text.value).toBe(named("A and more"));
    expect((await opened(bot, "bob")).clash.value).toBeUndefined();
    editor.undo();
    expect(editor.text.value).toBe(named("A"));
    await editor.settle();
  });

  test("what was typed after the click and before it was sent is not published, and is not lost", async () => {
    const { bot, named } = await madeBot();
    const network = new Network();
    const editor = await opened(bot, "ann", network);
    editor.edit(named("A"));
    const held = network.hold("PUT /bots/:bot/draft");
    const saving = editor.settle();
    await held.isSent;
    const publishing = editor.publish();
    editor.edit(named("A and more"));
    held.release();
    await saving;
    expect(await publishing).toMatchObject({ now: { yaml: named("A") } });
    await editor.settle();
    expect(await bot.stored()).toMatchObject({ version: 2, draft: named("A and more") });
    expect((await opened(bot, "bob")).clash.value).toBeUndefined();
  });

  test("leaves a draft that a colleague has saved meanwhile, and says so at the next save", async () => {
    const { bot, named, greeting } = await madeBot();
    const network = new Network();
    const editor = await opened(bot, "ann", network);
    editor.edit(named("A"));
    const held = network.hold("PUT /bots/:bot");
    const publishing = editor.publish();
    await held.isSent;
    const bob = await opened(bot, "bob");
    bob.edit(named("A").replace("Hi", "Bob's"));
    await bob.settle();
    held.release();
    expect(await publishing).toMatchObject({ now: { version: 2, hasDraft: true } });
    expect(await bot.stored()).toMatchObject({ draft: named("A").replace("Hi", "Bob's"), by: "bob" });
    editor.edit(greeting("Ann's"));
    await editor.settle();
    expect(editor.clash.value).toMatchObject({ kind: "draft", by: "bob" });
    bob.edit(`${bob.text.value}# more\n`);
    await bob.settle();
    expect(bob.saveState.value).toBe("saved");
  });

  test("of which no answer came is no clash with oneself", async () => {
    const { bot, named } = await madeBot();
    const network = new Network();
    const editor = await opened(bot, "ann", network);
    editor.edit(named("A"));
    await editor.settle();
    network.loses = "answers";
    await expect(editor.publish()).rejects.toMatchObject({ code: "OFFLINE" });
    network.loses = "nothing";
    expect(await editor.publish()).toMatchObject({ now: { version: 2, yaml: named("A") } });
    expect([editor.clash.value, editor.isChanged.value]).toEqual([undefined, false]);
  });

  test("says why where the draft could not be saved before, and can be asked for again", async () => {
    const { bot, named } = await madeBot();
    const network = new Network();
    const editor = await opened(bot, "ann", network);
    editor.edit(named("A"));
    network.failNext("PUT /bots/:bot/draft");
    await expect(editor.publish()).rejects.toMatchObject({ status: 502 });
    expect((await bot.stored()).version).toBe(1);
    expect(await editor.publish()).toMatchObject({ now: { version: 2 } });
  });

  test("an earlier version is made the draft; published unchanged, it is recorded as restored", async () => {
    const { bot, text, named } = await madeBot();
    const editor = await opened(bot);
    editor.edit(named("A"));
    await editor.publish();
    const step = await editor.bringBack(1);
    expect([editor.text.value, (await bot.stored()).version]).toEqual([text, 2]);
    expect([editor.takeBack(step), editor.text.value]).toEqual([true, named("A")]);
    await editor.bringBack(1);
    await editor.settle();
    expect(await editor.publish()).toMatchObject({ before: 2, now: { version: 3, yaml: text } });
    expect(await bot.stored()).toMatchObject({ version: 3, restoredFrom: 1, draft: undefined });
    expect(editor.isChanged.value).toBe(false);
  });

  test("an earlier version that was edited as the draft is a new version", async () => {
    const { bot, named } = await madeBot();
    const editor = await opened(bot);
    editor.edit(named("A"));
    await editor.publish();
    await editor.bringBack(1);
    editor.edit(named("B"));
    await editor.publish();
    expect(await bot.stored()).toMatchObject({ version: 3, restoredFrom: undefined });
  });
});

describe("taking back", () => {
  test("a step leaves what was edited elsewhere since", async () => {
    const { bot, named, allowing } = await madeBot();
    const editor = await opened(bot);
    const step = editor.edit(named("A"));
    editor.edit(named("A").replace("[]", "[a.example]"));
    editor.refine(named("A").replace("[]", "[b.example]"));
    expect(editor.takeBack(step)).toBe(true);
    expect(editor.text.value).toBe(allowing("b.example"));
    expect(editor.undo()).toBe(true);
    expect(editor.text.value).toBe(bot.text(YAML));
    expect(editor.undo()).toBe(false);
    await editor.settle();
  });

  test("a step whose place was edited since changes nothing, and says so", async () => {
    const { bot, named } = await madeBot();
    const editor = await opened(bot);
    const step = editor.edit(named("A"));
    editor.edit(named("A and more"));
    expect([editor.takeBack(step), editor.text.value]).toEqual([false, named("A and more")]);
    editor.undo();
    expect([editor.takeBack(step), editor.text.value]).toEqual([true, bot.text(YAML)]);
    await editor.settle();
  });

  test("the first of two tests that were added to a list leaves the second", async () => {
    const { bot, text } = await madeBot();
    const editor = await opened(bot);
    const withTests = (...utterances: string[]) =>
      `${text}tests:\n${utterances.map((each) => `  - utterance: ${each}\n    decision: allowed\n`).join("")}`;
    editor.edit(withTests("one"));
    const second = editor.edit(withTests("one", "two"));
    editor.edit(withTests("one", "two", "three"));
    const fourth = editor.edit(withTests("one", "two", "three", "four"));
    expect(editor.takeBack(second)).toBe(true);
    expect(editor.text.value).toBe(withTests("one", "three", "four"));
    expect(editor.takeBack(fourth)).toBe(true);
    expect(editor.text.value).toBe(withTests("one", "three"));
    await editor.settle();
  });

  test("a publication makes it a draft again, with what was typed since", async () => {
    const { bot, text, named, allowing } = await madeBot();
    const editor = await opened(bot);
    editor.edit(named("A"));
    const published = (await editor.publish())!;
    editor.edit(named("A").replace("[]", "[a.example]"));
    expect(await editor.takeBackPublication(published)).toMatchObject({ version: 3, yaml: text });
    expect(await bot.stored()).toMatchObject({
      version: 3,
      yaml: text,
      draft: allowing("a.example").replace("Acme", "A"),
    });
  });

  test("a publication is refused where somebody has published another since", async () => {
    const { bot, named, greeting } = await madeBot();
    const editor = await opened(bot);
    editor.edit(named("A"));
    const published = (await editor.publish())!;
    await publishAs("bob", bot, greeting("Bob's"));
    expect(await editor.takeBackPublication(published)).toBeUndefined();
    await editor.load();
    expect(await editor.takeBackPublication(published)).toBeUndefined();
    expect((await bot.stored()).yaml).toBe(greeting("Bob's"));
  });
});

describe("two who edit the same draft", () => {
  test("the second sees both, and nothing of the first is overwritten", async () => {
    const { bot, named, greeting } = await madeBot();
    const [ann, bob] = [await opened(bot), await opened(bot, "bob")];
    ann.edit(named("Ann's"));
    await eventually(isSaved(ann));
    bob.edit(greeting("Hello"));
    await eventually(() =>
      expect(bob.clash.value).toMatchObject({ kind: "draft", by: "ann", theirs: named("Ann's") }),
    );
    expect((await bot.stored()).draft).toBe(named("Ann's"));
    expect(bob.putMineOnTop()?.overruled).toBe(0);
    await eventually(isSaved(bob));
    expect((await bot.stored()).draft).toBe(named("Ann's").replace("Hi", "Hello"));
  });

  test("taking theirs can be taken back: both stand beside each other again, and theirs stays", async () => {
    const { bot, named } = await madeBot();
    const [ann, bob] = [await opened(bot), await opened(bot, "bob")];
    ann.edit(named("Ann's"));
    await eventually(isSaved(ann));
    bob.edit(named("Bob's"));
    await eventually(() => expect(bob.clash.value?.kind).toBe("draft"));
    bob.takeTheirs();
    expect(bob.text.value).toBe(named("Ann's"));
    bob.undo();
    expect(bob.text.value).toBe(named("Bob's"));
    await bob.settle();
    expect(bob.clash.value).toMatchObject({ kind: "draft", by: "ann" });
    expect((await bot.stored()).draft).toBe(named("Ann's"));
  });
});

describe("a version that somebody else published meanwhile", () => {
  test("is not undone by publishing; one's own comes on top of it", async () => {
    const { bot, named, greeting } = await madeBot();
    const editor = await opened(bot);
    editor.edit(greeting("Hello"));
    await publishAs("eve", bot, named("Eve's"));
    expect(await editor.publish()).toBeUndefined();
    expect(editor.clash.value).toMatchObject({
      kind: "published",
      by: "eve",
      version: 2,
      theirs: named("Eve's"),
    });
    editor.putMineOnTop();
    expect(await editor.publish()).toMatchObject({ before: 2, now: { version: 3 } });
    expect((await bot.stored()).yaml).toBe(named("Eve's").replace("Hi", "Hello"));
  });

  test.each(["load", "refresh"] as const)(
    "is not undone where %s has read it while something was typed",
    async (read) => {
      const { bot, named, greeting } = await madeBot();
      const editor = await opened(bot);
      await publishAs("eve", bot, named("Eve's"));
      const reading = editor[read]();
      editor.edit(greeting("Hello"));
      await reading;
      expect(await editor.publish()).toBeUndefined();
      expect(editor.clash.value).toMatchObject({ kind: "published", by: "eve" });
      expect((await bot.stored()).yaml).toBe(named("Eve's"));
    },
  );

  test("is what is edited from then on where nothing was edited before", async () => {
    const { bot, named } = await madeBot();
    const editor = await opened(bot);
    await publishAs("eve", bot, named("Eve's"));
    await editor.refresh();
    expect([editor.text.value, editor.clash.value]).toEqual([named("Eve's"), undefined]);
  });

  test("is seen when a draft from before is opened", async () => {
    const { bot, text, named, greeting } = await madeBot();
    const ann = await opened(bot);
    ann.edit(greeting("Hello"));
    await ann.settle();
    await publishAs("eve", bot, named("Eve's"));
    expect((await opened(bot)).clash.value).toMatchObject({ kind: "published", base: text, version: 2 });
  });
});
