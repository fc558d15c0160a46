import { expect, test } from "bun:test";

import { Rehearsal } from "../../../src/operate/rehearsal.ts";
import { type BotToTry, OpenBots } from "../../../src/operate/try/open-bots.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import { botWith } from "../../support/bots.ts";
import { eventually } from "../../support/eventually.ts";

const MODEL = { model: new Uint8Array() };
const STAYING = new AbortController().signal;

const botOf = (name: string): BotToTry => ({ key: 1 as BotKey, document: botWith({ name }) });

/** Bots that open at once, unless `find` holds their models back; each is noted as it opens and closes. */
function openBots(find: (name: string, signal: AbortSignal) => Promise<unknown> = async () => {}) {
  const notes: string[] = [];
  const bots = new OpenBots({
    knowledge: {
      generations: async () => new Map(),
      listPassageIds: async () => [],
      readTerms: async () => new Map(),
      findPassages: async () => new Map(),
    } as never,
    models: {
      find: async ({ name }, _onTraining, signal) => {
        await find(name, signal!);
        return MODEL;
      },
    },
    encoder: { encode: async () => undefined },
    judge: () => {
      throw new Error("nothing is judged");
    },
    openRehearsal: async ({ name }) => {
      notes.push(`opens ${name}`);
      return new Rehearsal({
        answer: () => Promise.reject(new Error("nothing is said")),
        newConversationId: () => "cv_1" as never,
        close: async () => void notes.push(`closes ${name}`),
      });
    },
  });
  return { bots, notes };
}

/** Uses a bot until `leave` is called. */
function stay(bots: OpenBots, name: string) {
  const staying = Promise.withResolvers<void>();
  const isThere = Promise.withResolvers<void>();
  const used = bots.use(botOf(name), STAYING, () => {
    isThere.resolve();
    return staying.promise;
  });
  return { isThere: Promise.race([isThere.promise, used]), used, leave: staying.resolve };
}

const touch = (bots: OpenBots, name: string) => bots.use(botOf(name), STAYING, async () => {});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `bot ${index}`);

test("a bot is opened once for all who talk to it, and stays for the next message", async () => {
  const { bots, notes } = openBots();
  await Promise.all([touch(bots, "a"), touch(bots, "a")]);
  await touch(bots, "a");
  expect(notes).toEqual(["opens a"]);
  await bots[Symbol.asyncDispose]();
  expect(notes).toEqual(["opens a", "closes a"]);
});

test("of those that nobody talks to six stay, those that were used last; one in use is never closed", async () => {
  const { bots, notes } = openBots();
  const held = stay(bots, "held");
  await held.isThere;
  for (const name of numbered(6)) await touch(bots, name);
  await touch(bots, "bot 0");
  await touch(bots, "one more");
  await eventually(() => notes.includes("closes bot 1"));
  expect(notes.filter((note) => note.startsWith("closes"))).toEqual(["closes bot 1"]);
  held.leave();
  await held.used;
});

test("one more than may be talked to at a time is refused, until somebody leaves", async () => {
  const { bots } = openBots();
  const talks = numbered(24).map((name) => stay(bots, name));
  await Promise.all(talks.map(({ isThere }) => isThere));
  await expect(touch(bots, "one more")).rejects.toMatchObject({ errorCode: "OVERLOADED" });
  await touch(bots, "bot 3");
  talks[7]!.leave();
  await talks[7]!.used;
  await touch(bots, "one more");
});

test("an opening goes on for those who wait for it, and stops with the last of them", async () => {
  const signals: AbortSignal[] = [];
  const { bots, notes } = openBots(
    (_name, signal) =>
      new Promise((_resolve, reject) => {
        signals.push(signal);
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      }),
  );
  const [one, other] = [new AbortController(), new AbortController()];
  const uses = [one, other].map(({ signal }) => bots.use(botOf("a"), signal, async () => {}));
  const ended = Promise.allSettled(uses);
  await eventually(() => signals.length === 1);
  one.abort(new Error("left"));
  await expect(uses[0]!).rejects.toThrow("left");
  expect(signals[0]!.aborted).toBe(false);
  other.abort(new Error("left as well"));
  expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(notes).toEqual([]);
});

test("a bot that did not open is opened anew for the next message", async () => {
  let times = 0;
  const { bots, notes } = openBots(async () => {
    times += 1;
    if (times === 1) throw new Error("the database is away");
  });
  await expect(touch(bots, "a")).rejects.toThrow("the database is away");
  await touch(bots, "a");
  expect(notes).toEqual(["opens a"]);
});
