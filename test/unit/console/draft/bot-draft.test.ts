import { describe, expect, test } from "bun:test";

import { BotDraftEditor } from "../../../../src/console/draft/bot-draft.ts";
import { eventually } from "../../../support/eventually.ts";
import { FakeBot } from "../../../support/fake-bot-api.ts";

const YAML = "id: acme\nname: Acme\n# a comment\nwelcomeMessage: Hi\nallowedDomains: []\n";
const named = (name: string) => YAML.replace("Acme", name);
const greeting = (words: string) => YAML.replace("Hi", words);

async function opened(bot: FakeBot, who = "ann"): Promise<BotDraftEditor> {
  const editor = new BotDraftEditor("acme", bot.api(who));
  await editor.load();
  return editor;
}

const isSaved = (editor: BotDraftEditor) => () => expect(editor.saveState.value).toBe("saved");

describe("a bot while it is edited", () => {
  test("is saved as a draft a moment after it was typed", async () => {
    const bot = new FakeBot(YAML);
    const editor = await opened(bot);
    editor.edit(named("A"));
    editor.edit(named("Ac"));
    expect(editor.saveState.value).toBe("unsaved");
    await eventually(isSaved(editor));
    expect(bot.draft).toMatchObject({ yaml: named("Ac"), updatedBy: "ann", revision: 1 });
  });

  test("what is typed while it is read again stays, and is saved", async () => {
    const bot = new FakeBot(YAML);
    const editor = await opened(bot);
    const reading = editor.load();
    editor.edit(named("A"));
    await reading;
    expect(editor.text.value).toBe(named("A"));
    await eventually(isSaved(editor));
    expect(bot.draft?.yaml).toBe(named("A"));
  });

  test("a text that is as published again leaves no draft", async () => {
    const bot = new FakeBot(YAML);
    const editor = await opened(bot);
    editor.edit(named("A"));
    await eventually(isSaved(editor));
    expect(editor.undo()).toBe(true);
    await eventually(isSaved(editor));
    expect(bot.draft).toBeUndefined();
    expect(editor.undo()).toBe(false);
  });

  test("forms keep showing what was there before a mistake", async () => {
    const editor = await opened(new FakeBot(YAML));
    editor.edit("id: [");
    expect([editor.sound.value, editor.isSound.value]).toEqual([YAML, false]);
    editor.edit(named("A"));
    expect([editor.sound.value, editor.isSound.value]).toEqual([named("A"), true]);
  });

  test("what could not be saved is saved when the server answers again", async () => {
    const bot = new FakeBot(YAML);
    const editor = await opened(bot);
    bot.isDown = true;
    editor.edit(named("A"));
    await eventually(() => expect(editor.problem.value?.code).toBe("OFFLINE"));
    bot.isDown = false;
    await editor.retry();
    expect([bot.draft?.yaml, editor.problem.value]).toEqual([named("A"), undefined]);
  });

  test("publishes what was typed last, and leaves no draft", async () => {
    const bot = new FakeBot(YAML);
    const editor = await opened(bot);
    editor.edit(named("A"));
    expect(await editor.publish()).toMatchObject({ before: 1, now: { version: 2, yaml: named("A") } });
    expect([bot.versions.at(-1), bot.draft, editor.isChanged.value]).toEqual([named("A"), undefined, false]);
  });

  test("takes a version back and keeps what is being edited", async () => {
    const bot = new FakeBot(YAML);
    const editor = await opened(bot);
    editor.edit(named("A"));
    await editor.publish();
    expect(await editor.restore(1)).toMatchObject({ version: 3, yaml: YAML });
    expect(editor.text.value).toBe(YAML);
  });
});

describe("two who edit the same draft", () => {
  test("the second sees both, and nothing of the first is overwritten", async () => {
    const bot = new FakeBot(YAML);
    const [ann, bob] = [await opened(bot), await opened(bot, "bob")];
    ann.edit(named("Ann's"));
    await eventually(isSaved(ann));
    bob.edit(greeting("Hello"));
    await eventually(() =>
      expect(bob.clash.value).toMatchObject({ kind: "draft", by: "ann", theirs: named("Ann's") }),
    );
    expect(bot.draft?.yaml).toBe(named("Ann's"));
    expect(bob.putMineOnTop()).toBe(0);
    await eventually(isSaved(bob));
    expect(bot.draft?.yaml).toBe(named("Ann's").replace("Hi", "Hello"));
  });

  test("taking theirs can be taken back", async () => {
    const bot = new FakeBot(YAML);
    const [ann, bob] = [await opened(bot), await opened(bot, "bob")];
    ann.edit(named("Ann's"));
    await eventually(isSaved(ann));
    bob.edit(named("Bob's"));
    await eventually(() => expect(bob.clash.value?.kind).toBe("draft"));
    bob.takeTheirs();
    expect(bob.text.value).toBe(named("Ann's"));
    bob.undo();
    expect(bob.text.value).toBe(named("Bob's"));
  });
});

describe("a version that somebody else published meanwhile", () => {
  test("is not undone by publishing; one's own comes on top of it", async () => {
    const bot = new FakeBot(YAML);
    const editor = await opened(bot);
    editor.edit(greeting("Hello"));
    bot.publish(named("Eve's"));
    expect(await editor.publish()).toBeUndefined();
    expect(editor.clash.value).toMatchObject({
      kind: "published",
      by: "eve",
      version: 2,
      theirs: named("Eve's"),
    });
    editor.putMineOnTop();
    expect(await editor.publish()).toMatchObject({ before: 2, now: { version: 3 } });
    expect(bot.versions.at(-1)).toBe(named("Eve's").replace("Hi", "Hello"));
  });

  test("is seen when a draft from before is opened", async () => {
    const bot = new FakeBot(YAML);
    bot.saveDraft(greeting("Hello"), "ann");
    bot.publish(named("Eve's"));
    expect((await opened(bot)).clash.value).toMatchObject({ kind: "published", base: YAML, version: 2 });
  });
});
