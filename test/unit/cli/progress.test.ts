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

describe("the training of bots", () => {
  const small = { intents: 5, texts: 50, steps: 10_000 };
  const large = { intents: 5000, texts: 10_000, steps: 52_700_000 };

  test("of several bots is one bar, which names the bot", () => {
    const progress = progressOn(true);
    at += 1_000;
    reportTraining(progress)({ botId: "b", done: 1, total: 4, share: 0.5, workDone: 0.37, work: small });
    expect(drawn[0]).toEndWith("37 %  training b, 2 of 4");
  });

  test("of a large bot is announced before it begins, and then says how much time is left", () => {
    const report = reportTraining(progressOn(false));
    const progress = { botId: "big", done: 0, total: 1, work: large };
    report({ ...progress, share: 0, workDone: 0 });
    expect(said).toEqual(["training big: 5000 intents with 10000 texts to learn from; this takes a while"]);
    for (const [elapsedMs, share] of [
      [2_000, 0.02],
      [4_000, 0.1],
      [20_000, 0.5],
      [39_000, 0.98],
    ] as const) {
      at = 5_000 + elapsedMs;
      report({ ...progress, share, workDone: share });
    }
    expect(said.slice(1)).toEqual([
      "training big, about 40 s left: 10 %",
      "training big, about 20 s left: 50 %",
      "training big, about 5 s left: 98 %",
    ]);
  });

  test("of a large bot that takes minutes says so in minutes", () => {
    const report = reportTraining(progressOn(false));
    report({ botId: "big", done: 0, total: 1, share: 0, workDone: 0, work: large });
    at += 15_000;
    report({ botId: "big", done: 0, total: 1, share: 0.05, workDone: 0.05, work: large });
    expect(said[1]).toBe("training big, about 5 minutes left: 5 %");
  });

  test("of small bots alone announces nothing", () => {
    const report = reportTraining(progressOn(false));
    report({ botId: "a", done: 0, total: 1, share: 0, workDone: 0, work: small });
    expect(said).toEqual([]);
  });
});
