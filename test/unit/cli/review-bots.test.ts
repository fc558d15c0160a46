import { expect, test } from "bun:test";

import pc from "picocolors";

import { NO_KNOWLEDGE } from "../../../src/bots/bot-knowledge.ts";
import { reviewBots } from "../../../src/cli/review-bots.ts";
import { sampleBots } from "../../../src/cli/samples.ts";
import { botWith } from "../../support/bots.ts";

/** A terminal on which `secondsPerLook` pass between two looks at the clock. */
function slowTerminal(secondsPerLook: number) {
  let at = 0;
  const said: string[] = [];
  const plain = pc.createColors(false);
  return {
    said,
    now: () => (at += secondsPerLook * 1000),
    say: (text: string) => void said.push(text),
    colours: { out: plain, err: plain },
    isErrTerminal: false,
    showProgress: () => undefined,
  };
}

const withoutDocuments = async () => NO_KNOWLEDGE;

test("bots for which there is no time are reviewed without cross-validation, and counted", async () => {
  const terminal = slowTerminal(60);
  const reviews = await reviewBots(terminal, sampleBots(), withoutDocuments);
  expect([...reviews.values()].map(({ judged }) => judged)).toEqual([0, 0, 0, 0]);
  expect(terminal.said.join("\n")).toMatch(/^acme-support: \d+ intents, \d{3} examples$/m);
  expect(terminal.said.at(-1)).toBe(
    "4 bots were not cross-validated, to save time; `parley eval BOT` does it",
  );
});

test("warnings are coloured, and other findings are not", async () => {
  const terminal = {
    ...slowTerminal(0),
    colours: { out: pc.createColors(true), err: pc.createColors(true) },
  };
  const bot = botWith({ id: "small", intents: [{ name: "a", examples: ["one"] }] });
  await reviewBots(terminal, [bot], withoutDocuments);
  expect(terminal.said).toEqual([
    "small: 1 intent, 1 example. Too few examples to judge by. Next: Add examples to a, it has 1.",
    pc
      .createColors(true)
      .yellow(
        "small: warning: few examples: a (1); five per intent are enough to begin with, ten are better.",
      ),
  ]);
});

test("few examples in many bots are one warning, with the count and the first names", async () => {
  const terminal = slowTerminal(0);
  const bots = Array.from({ length: 200 }, (_, i) =>
    botWith({ id: `small-${i}`, intents: [{ name: "a", examples: ["one"] }] }),
  );
  const reviews = await reviewBots(terminal, bots, withoutDocuments);
  expect(reviews.size).toBe(200);
  expect(terminal.said).toEqual([
    "warning: few examples in 200 bots (`small-0`, `small-1`, `small-2`, `small-3`, `small-4` and 195 more); five per intent are enough to begin with, ten are better.",
  ]);
});
