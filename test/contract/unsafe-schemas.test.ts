import { afterAll, beforeAll, expect, test } from "bun:test";

import { BOT_RULES } from "../../src/bots/rules.ts";
import { parseBotFiles } from "../../src/seed/bot-file.ts";
import { formatProblem } from "../../src/seed/problem.ts";
import { kioskBot } from "../support/bots.ts";
import { says, startModelServer, type TestModelServer } from "../support/model-server.ts";
import { type TestParley, startParley } from "../support/parley.ts";

/** On a text of 200 KB that is all "b", this pattern keeps the engine busy for 15 seconds. */
const PATTERN = "b(?=[ab]*c)";
const LONG = "b".repeat(200 * 1024);
/** The longest that a bot file takes. */
const SCRIPTED = "b".repeat(20_000);
const HOURS = { name: "opening.hours", examples: ["when are you open", "opening hours"] };
const unsafe = { outputSchema: { type: "string", pattern: PATTERN }, fallbackResponse: "bc" };

let server: TestModelServer;
let parley: TestParley;
const lines: Record<string, unknown>[] = [];

/** These bots are stored without the rules of `parley seed`, as an earlier version did. */
beforeAll(async () => {
  server = await startModelServer();
  server.replyWith(says(LONG));
  parley = await startParley({
    bots: [
      kioskBot(SCRIPTED, { id: "scripted", ...unsafe }),
      kioskBot("", { id: "asking", ...unsafe, intents: [HOURS], responder: { kind: "model" } }),
      kioskBot('{"hours":"9-5"}', { id: "sound" }),
    ],
    flags: { models: JSON.stringify({ local: { baseUrl: server.baseUrl, model: "tiny" } }) },
    onLog: (line) => lines.push(line),
  });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

test.each(["scripted", "asking"])(
  "a stored bot whose pattern could take very long answers with its fallback, at once (%s)",
  async (botId) => {
    const startedAt = performance.now();
    const { response, metadata } = await parley.say("when are you open", { botId });
    expect(performance.now() - startedAt).toBeLessThan(2000);
    expect(response).toBe("bc");
    expect(metadata).toMatchObject({ enforcementReason: "schema_fallback", schemaFallbackUsed: true });
  },
);

test("no model is paid for an answer that cannot pass", () => {
  expect(server.requests).toEqual([]);
});

test("the log names such bots at the start, and no others", () => {
  const warned = lines.filter(({ msg }) => String(msg).includes("not safe to check"));
  expect(warned.map(({ botId }) => botId)).toEqual(["asking", "scripted"]);
  expect(JSON.stringify(warned)).toContain("looks ahead or behind");
});

test("parley seed refuses such a pattern at its place in the file, and says what would be right", () => {
  const text = [
    "id: kiosk",
    "name: Kiosk",
    'allowedDomains: ["*"]',
    "fallbackResponse: bc",
    "outputSchema:",
    "  type: string",
    `  pattern: ${PATTERN}`,
  ].join("\n");
  const { problems } = parseBotFiles([{ name: "kiosk.yaml", text }], BOT_RULES);
  expect(problems.map(formatProblem)).toEqual([
    expect.stringMatching(/^kiosk\.yaml:7:12: `pattern` looks ahead .* use `enum`, `format` or `maxLength`$/),
  ]);
});
