import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { sampleBots } from "../../../src/cli/samples.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import { shopBot } from "../../support/bots.ts";
import { CliFixture } from "../../support/cli.ts";

const FIELDS = [
  "inScopeAccuracy",
  "inScopeAccepted",
  "outOfScopeRecall",
  "outOfScopePrecision",
  "outOfScopeAuroc",
  "expectedCalibrationError",
  "deniedRecall",
  "deniedByDenyList",
  "allowedAnswered",
  "falseDenialRate",
  "total",
  "microsecondsPerMessage",
  "trainMs",
  "modelBytes",
  "confusions",
  "perIntent",
];

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => cli[Symbol.dispose]());

async function seed(bot: BotDocument): Promise<void> {
  const { exitCode, stderr } = await cli.run(["seed", "-", "--accept-faults"], {
    stdin: JSON.stringify(bot),
  });
  if (exitCode !== 0) throw new Error(stderr);
}

function lines(...records: unknown[]): string {
  return records.map((record) => JSON.stringify(record)).join("\n");
}

describe("eval of a file", () => {
  const EASY = lines(
    { text: "where is my order", intent: "orders.status" },
    { text: "delete my account", intent: "account.delete", decision: "DENY_LIST" },
    { text: "tell me a joke", intent: "jokes.tell", decision: "NOT_IN_ALLOW_LIST" },
    { text: "pasta carbonara", intent: null },
  );

  test("prints every promised figure as JSON, rates as 0–1", async () => {
    await seed(shopBot());
    const { stdout, exitCode } = await cli.run(["eval", "shop", "--utterances", "-", "--json"], {
      stdin: EASY,
    });
    const figures = JSON.parse(stdout) as Record<string, number>;
    expect(Object.keys(figures)).toEqual(expect.arrayContaining(FIELDS));
    expect(figures).toMatchObject({
      inScopeAccuracy: 1,
      inScopeAccepted: 1,
      outOfScopeRecall: 1,
      outOfScopePrecision: 1,
      outOfScopeAuroc: 1,
      deniedRecall: 1,
      falseDenialRate: 0,
      decisionAccuracy: 1,
      total: 4,
      confusions: [],
      tests: null,
    });
    for (const name of ["microsecondsPerMessage", "trainMs", "modelBytes"]) {
      expect(figures[name]).toBeGreaterThan(0);
    }
    expect(exitCode).toBe(0);
  });

  test("lists each miss with what was expected, what came and the chance of it", async () => {
    await seed(shopBot());
    const stdin = lines(
      { text: "where is my order", intent: "orders.status" },
      { text: "delete my account", intent: "orders.status" },
      { text: "tell me a joke", intent: null },
      { text: "pasta carbonara", intent: "orders.status" },
    );
    const { stdout } = await cli.run(["eval", "shop", "--utterances", "-", "--json"], { stdin });
    const { misses, served } = JSON.parse(stdout) as {
      misses: { text: string; chance: number }[];
      served: number;
    };
    expect(misses.toSorted((a, b) => (a.text < b.text ? -1 : 1))).toMatchObject([
      {
        text: "delete my account",
        expected: "orders.status",
        got: "account.delete",
        gotDecision: "DENY_LIST",
      },
      { text: "pasta carbonara", expected: "orders.status", gotDecision: "no_intent_match" },
      { text: "tell me a joke", expected: null, got: "jokes.tell", gotDecision: "NOT_IN_ALLOW_LIST" },
    ]);
    expect(misses[0]!.chance).toBeGreaterThan(0.5);
    expect(served).toBeCloseTo(1 / 3, 6);
    const text = (await cli.run(["eval", "shop", "--utterances", "-"], { stdin })).stdout;
    expect(text).toMatch(/^Misses: 3 of 4\n {2}EXPECTED +GOT +CHANCE +MESSAGE$/m);
    expect(text).toMatch(/^ {2}orders\.status +account\.delete, DENY_LIST +\d+\.\d % +"delete my account"$/m);
    expect(text).toMatch(/^ {2}out of scope +jokes\.tell, NOT_IN_ALLOW_LIST +\d+\.\d % +"tell me a joke"$/m);
  });

  test("has null where there is nothing to measure", async () => {
    await seed(shopBot());
    const stdin = lines({ text: "where is my order", intent: "orders.status" });
    const { stdout } = await cli.run(["eval", "shop", "--utterances", "-", "--json"], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({
      outOfScopeRecall: null,
      outOfScopePrecision: null,
      outOfScopeAuroc: null,
      deniedRecall: null,
      falseDenialRate: 0,
    });
  });

  test("measures decisions as enforcement makes them, whatever the bot's mode", async () => {
    await seed(shopBot({ capabilityProfile: { deny: ["account.delete"], mode: "observe" } }));
    const stdin = lines({ text: "delete my account", intent: "account.delete" });
    const { stdout } = await cli.run(["eval", "shop", "--utterances", "-", "--json"], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({ deniedRecall: 1, decisionAccuracy: 1 });
  });

  test("takes a given decision over the one that follows from the profile", async () => {
    await seed(shopBot());
    const stdin = lines(
      { text: "delete my account", intent: "account.delete", decision: "allowed" },
      { text: "where is my order", intent: "orders.status", decision: "DENY_LIST" },
    );
    const { stdout } = await cli.run(["eval", "shop", "--utterances", "-", "--json"], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({ deniedRecall: 0, falseDenialRate: 1, decisionAccuracy: 0 });
  });

  test("does not run the bot's tests", async () => {
    await seed(shopBot({ tests: [{ utterance: "where is my order", decision: "DENY_LIST" }] }));
    expect((await cli.run(["eval", "shop", "--utterances", "-"], { stdin: EASY })).exitCode).toBe(0);
  });

  test("reports every mistake with its line and what would be right, and ends with 1", async () => {
    await seed(shopBot());
    const file = join(cli.folder, "messages.jsonl");
    writeFileSync(
      file,
      `${lines({ text: "hello", intent: "orders.state" }, { text: " ", intent: null })}\n\n` +
        `{"text": "x"}\nnot JSON\n${lines(
          { text: "x", intent: null, decision: "DENY" },
          { text: "x", intent: null, decison: "allowed" },
          { text: "fine", intent: null, split: "test" },
        )}`,
    );
    const { stdout, stderr, exitCode } = await cli.run(["eval", "shop", "--utterances", file]);
    expect(stderr.split("\n")).toEqual([
      `${file}:1: the bot has no intent \`orders.state\`; did you mean \`orders.status\`?`,
      expect.stringMatching(/jsonl:2: `text` should be the message/),
      expect.stringMatching(/jsonl:4: `intent` should be the name of an intent, or null/),
      expect.stringMatching(/jsonl:5: not a JSON object; a line is/),
      expect.stringMatching(/jsonl:6: `decision` should be one of allowed, DENY_LIST/),
      `${file}:7: there is no field \`decison\`; did you mean \`decision\`?`,
      "error: 6 mistakes in the utterances",
      "",
    ]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  });

  test("a file that is not there ends with 1", async () => {
    await seed(shopBot());
    const { stderr, exitCode } = await cli.run(["eval", "shop", "--utterances", "/nowhere/x.jsonl"]);
    expect(stderr).toBe("error: /nowhere/x.jsonl: there is no such file or folder\n");
    expect(exitCode).toBe(1);
  });

  test("a file without utterances ends with 1", async () => {
    await seed(shopBot());
    const { stdout, stderr, exitCode } = await cli.run(["eval", "shop", "--utterances", "-"], {
      stdin: "\n",
    });
    expect(stderr).toStartWith("error: stdin contains no utterances; ");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  });
});

describe("eval of a bot file", () => {
  const write = (name: string, ...bots: object[]): string => {
    const file = join(cli.folder, name);
    writeFileSync(file, bots.map((bot) => JSON.stringify(bot)).join("\n---\n"));
    return file;
  };

  test("runs its tests without seeding it, and makes no data folder", async () => {
    const tests = [{ utterance: "where is my order", intent: "orders.status" }];
    const file = write("shop.yaml", shopBot({ tests }));
    const { stdout, exitCode } = await cli.run(["eval", file]);
    expect(stdout).toStartWith(`shop, from ${file}: model of `);
    expect(stdout).toContain("1 of 1 tests passed.");
    expect(exitCode).toBe(0);
    expect(existsSync(cli.data)).toBe(false);
  });

  test("judges as it would be judged when seeded", async () => {
    const stdin = lines(
      { text: "wheer is the order", intent: "orders.status" },
      { text: "erase it", intent: null },
    );
    const fromFile = await cli.run(["eval", write("shop.json", shopBot()), "--utterances", "-", "--json"], {
      stdin,
    });
    await seed(shopBot());
    const seeded = await cli.run(["eval", "shop", "--utterances", "-", "--json"], { stdin });
    const {
      microsecondsPerMessage: _,
      trainMs: _ms,
      ...judged
    } = JSON.parse(fromFile.stdout) as Record<string, unknown>;
    expect(JSON.parse(seeded.stdout)).toMatchObject(judged);
  });

  test("ends with 1 where a test fails, so that it can stand before a deployment", async () => {
    const tests = [{ utterance: "where is my order", decision: "DENY_LIST" as const }];
    expect((await cli.run(["eval", write("shop.yaml", shopBot({ tests }))])).exitCode).toBe(1);
  });

  test("tells of mistakes with their places, as seed does", async () => {
    const file = join(cli.folder, "bad.yaml");
    writeFileSync(file, "id: bad\nname: Bad\nallowedDomains: []\ncolour: red\n");
    const { stdout, stderr, exitCode } = await cli.run(["eval", file]);
    expect(stderr).toContain(`${file}:4:1: `);
    expect(stderr).toEndWith("error: one mistake\n");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  });

  test("is of one bot", async () => {
    const file = write("two.yaml", shopBot(), shopBot({ id: "other" }));
    const { stderr, exitCode } = await cli.run(["eval", file]);
    expect(stderr).toBe(`error: ${file} contains 2 bots (shop, other); use a file with one\n`);
    expect(exitCode).toBe(1);
  });

  test("takes stdin for either the bot or the utterances", async () => {
    const { stdout } = await cli.run(["eval", "-", "--json"], { stdin: JSON.stringify(shopBot()) });
    expect(JSON.parse(stdout)).toMatchObject({ tests: { passed: 0 } });
    expect((await cli.run(["eval", "-", "--utterances", "-"])).exitCode).toBe(2);
  });
});

describe("eval runs the whole turn", () => {
  const files = () => {
    const bot = shopBot({
      language: "en",
      knowledge: ["faq.md"],
      capabilityProfile: { deny: ["account.delete"] },
    });
    writeFileSync(join(cli.folder, "shop.json"), JSON.stringify(bot));
    const faq = [
      "# Repairs",
      "## Who mends canoes?",
      "Our boat shed mends canoes and kayaks in the winter.",
      "",
    ];
    writeFileSync(join(cli.folder, "faq.md"), faq.join("\n\n"));
    return join(cli.folder, "shop.json");
  };
  const evaluate = async (...records: unknown[]) => {
    const flags = ["eval", files(), "--utterances", "-", "--json"];
    const { stdout, stderr, exitCode } = await cli.run(flags, { stdin: lines(...records) });
    if (exitCode !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as { decisionAccuracy: number; misses: { text: string; got: string }[] };
  };

  test("documents included: what they answer is answered", async () => {
    const canoes = { text: "who mends canoes", intent: null };
    expect(await evaluate(canoes)).toMatchObject({
      decisionAccuracy: 0,
      misses: [{ text: "who mends canoes", got: "knowledge", gotDecision: "allowed" }],
    });
    expect(await evaluate({ ...canoes, decision: "allowed" })).toMatchObject({ decisionAccuracy: 1 });
  });

  test("and what was said before: a follow-up is decided behind it", async () => {
    const yes = { text: "and that one?", intent: "orders.status" };
    expect(await evaluate(yes)).toMatchObject({ decisionAccuracy: 0 });
    expect(await evaluate({ ...yes, after: ["where is my order"] })).toMatchObject({
      decisionAccuracy: 1,
      misses: [],
    });
  });

  test("what was said before has to be texts", async () => {
    const { stderr, exitCode } = await cli.run(["eval", files(), "--utterances", "-"], {
      stdin: lines({ text: "and once more", intent: null, after: "where is my order" }),
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('`after` should be what was said before, as in ["…"]');
  });
});

describe("eval of a bot", () => {
  test("says in plain words how well it understands, and what to do next", async () => {
    const [acme] = sampleBots();
    await cli.run(["seed", "-", "--no-review", "--accept-faults"], { stdin: JSON.stringify(acme) });
    const { stdout } = await cli.run(["eval", acme!.id]);
    expect(stdout).toMatch(
      /^Good: of \d{3} cross-validated examples \d+ were right and \d+ got a clarifying question .*\. Next: [A-Z].*\.$/m,
    );
    expect(stdout).toMatch(/^ {2}and \d+ more; --json lists them all$/m);
    const { verdict, misses } = JSON.parse((await cli.run(["eval", acme!.id, "--json"])).stdout) as {
      verdict: { grade: string; judged: number; right: number; asked: number };
      misses: unknown[];
    };
    expect(verdict.grade).toBe("good");
    expect(verdict.judged).toBeGreaterThan(300);
    expect(misses).toHaveLength(verdict.judged - verdict.right - verdict.asked);
  }, 300_000);

  test("runs its tests through real turns, a dialogue as one conversation", async () => {
    await seed(
      shopBot({
        tests: [
          { utterance: "delete my account", decision: "DENY_LIST", response: "That is not for a bot to do." },
          {
            dialogue: [
              { utterance: "where is my order", intent: "orders.status", response: "It is on its way." },
              { utterance: "where is my order", response: "Shop sent it yesterday." },
            ],
          },
          { utterance: "where is my order", response: "It is on its way." },
        ],
      }),
    );
    const { stdout, exitCode } = await cli.run(["eval", "shop"]);
    expect(stdout).toContain("3 of 3 tests passed.");
    expect(exitCode).toBe(0);
  });

  test("lists each failure with what was expected, what came and the rule, and ends with 1", async () => {
    await seed(
      shopBot({
        tests: [
          { utterance: "where is my order" },
          { utterance: "delete my account", intent: null, decision: "allowed", response: "Gone." },
        ],
      }),
    );
    const { stdout, stderr, exitCode } = await cli.run(["eval", "shop"]);
    expect(stdout).toContain(
      [
        "1 of 2 tests failed:",
        '  test 2, message 1: "delete my account", decided by denied-in-message',
        "    intent: expected none, got account.delete",
        "    decision: expected allowed, got DENY_LIST",
        '    response: expected "Gone.", got "That is not for a bot to do."',
      ].join("\n"),
    );
    expect(stderr).toBe("error: 1 of 2 tests failed\n");
    expect(exitCode).toBe(1);
    const json = await cli.run(["eval", "shop", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      tests: { passed: 1, failed: 1, failures: [{ test: 2 }] },
    });
    expect(json.exitCode).toBe(1);
  });

  test("in observe mode, tests say what enforcement would decide", async () => {
    const tests = [
      { utterance: "delete my account", intent: "account.delete", decision: "DENY_LIST" as const },
    ];
    await seed(shopBot({ capabilityProfile: { deny: ["account.delete"], mode: "observe" }, tests }));
    expect((await cli.run(["eval", "shop"])).stdout).toContain("1 of 1 tests passed.");
  });

  test("asks no model server", async () => {
    const tests = [{ utterance: "where is my order", decision: "allowed" as const }];
    await seed(shopBot({ responder: { kind: "model" }, tests }));
    const { stdout, exitCode } = await cli.run(["eval", "shop"]);
    expect(stdout).toContain("1 of 1 tests passed.");
    expect(exitCode).toBe(0);
  });

  test("does not store or count what the tests say", async () => {
    await seed(shopBot({ monthlyMessageCap: 1, tests: [{ utterance: "hello" }, { utterance: "hello" }] }));
    expect((await cli.run(["eval", "shop"])).exitCode).toBe(0);
    const { stdout } = await cli.run(["bot", "show", "shop", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ usage: { messages: 0 } });
  });

  test("names the intents to separate and the examples to move", async () => {
    const pay = ["i want to pay", "how can i pay", "pay the bill", "pay my invoice now", "let me pay"];
    const weather = [
      "is it raining",
      "will it rain",
      "sunny or cloudy",
      "weather forecast",
      "how warm is it",
    ];
    await seed(
      shopBot({
        intents: [
          { name: "bill.pay", examples: [...pay, "pay please", "can I pay today"] },
          { name: "bill.settle", examples: [...pay.map((text) => `${text} please`), "settle by paying"] },
          { name: "weather", examples: [...weather, "rain today", "sun tomorrow"] },
        ],
        capabilityProfile: {},
      }),
    );
    const { stdout } = await cli.run(["eval", "shop"]);
    expect(stdout).toMatch(/Intents to separate:\n {2}bill\.pay and bill\.settle: \d+ of 13 examples/);
    expect(stdout).toMatch(/ {4}"[^"]+", bill\.(pay|settle), looks like bill\.(settle|pay)/);
  });

  test("a bot without intents or tests has nothing to measure", async () => {
    await cli.seed("bare");
    const { stdout, exitCode } = await cli.run(["eval", "bare", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      total: 0,
      inScopeAccuracy: null,
      microsecondsPerMessage: null,
    });
    expect(exitCode).toBe(0);
  });

  test("an unknown bot ends with 1", async () => {
    await cli.seed("shop");
    const { stderr, exitCode } = await cli.run(["eval", "shp"]);
    expect(stderr).toBe("error: no bot `shp`; did you mean `shop`?\n");
    expect(exitCode).toBe(1);
  });
});

describe("the sample bots", () => {
  test.each(sampleBots().map((bot): [string, BotDocument] => [bot.id, bot]))(
    "%s passes its own tests",
    async (id, bot) => {
      await cli.run(["seed", "-", "--no-review", "--accept-faults"], { stdin: JSON.stringify(bot) });
      const { stdout } = await cli.run(["eval", id, "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ tests: { failed: 0, failures: [] } });
    },
    120_000,
  );
});
