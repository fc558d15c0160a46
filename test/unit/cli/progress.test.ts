import { beforeEach, describe, expect, test } from "bun:test";

import { Progress, reportTraining } from "../../../src/cli/progress.ts";

let at: number;
let drawn: (string | undefined)[];
let said: string[];
beforeEach(() => {
  at = 5_000;
  drawn = [];
  said = [];
});

function progressOn(isErrTerminal: boolean): Progress {
  return new Progress({
    now: () => at,
    isErrTerminal,
    showProgress: (text) => void drawn.push(text),
    say: (text) => void said.push(text),
  });
}

describe("progress on a terminal", () => {
  test("of work that is soon done does not flicker", () => {
    const progress = progressOn(true);
    for (const share of [0, 0.5, 1]) {
      progress.report("training acme", share);
      at += 200;
    }
    expect(drawn).toEqual([]);
  });

  test("is a bar that is redrawn, and taken away at the end", () => {
    {
      using progress = progressOn(true);
      at += 1_000;
      progress.report("training acme", 0.5);
      at += 100;
      progress.report("training acme", 1);
    }
    expect(drawn).toEqual([
      "████████████░░░░░░░░░░░░  50 %  training acme",
      "████████████████████████ 100 %  training acme",
      undefined,
    ]);
    expect(said).toEqual([]);
  });

  test("is not drawn more often than eyes can see", () => {
    const progress = progressOn(true);
    at += 1_000;
    for (let step = 0; step < 500; step++) {
      progress.report("training acme", step / 500);
      at += 1;
    }
    expect(drawn).toHaveLength(5);
  });
});

describe("progress on a pipe", () => {
  test("is a line now and then", () => {
    const progress = progressOn(false);
    for (let second = 0; second < 25; second++) {
      progress.report("training acme", second / 25);
      at += 1_000;
    }
    expect(said).toEqual(["training acme: 40 %", "training acme: 80 %"]);
    expect(drawn).toEqual([]);
  });
});

test("the training of several bots is one bar, which names the bot", () => {
  const progress = progressOn(true);
  at += 1_000;
  reportTraining(progress)({ botId: "b", done: 1, total: 4, share: 0.5 });
  expect(drawn[0]).toEndWith(" 37 %  training b, 2 of 4");
});
