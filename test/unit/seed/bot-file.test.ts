import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { checkAllowedDomains } from "../../../src/access/allowed-domain.ts";
import { BOT_RULES } from "../../../src/bots/rules.ts";
import type { BotRule } from "../../../src/domain/bot.ts";
import { parseBotFiles } from "../../../src/seed/bot-file.ts";
import { formatProblem } from "../../../src/seed/problem.ts";
import { botWith } from "../../support/bots.ts";

const HEAD = 'id: acme\nname: Acme\nallowedDomains: ["*"]\n';

function problemsOf(text: string, name = "bot.yaml", rules: BotRule[] = []): string[] {
  return parseBotFiles([{ name, text }], rules).problems.map(formatProblem);
}

describe("the text of a bot", () => {
  test.each([
    ["several documents", "bot.yaml", `${HEAD}---\n${HEAD.replace("id: ", "id: other-")}`],
    ["a list", "bot.yaml", `- ${HEAD.trimEnd().replaceAll("\n", "\n  ")}\n`],
    ["JSON", "bot.json", '{"id": "a", "name": "A", "allowedDomains": []}'],
    ["JSON by another name", "stdin", '{"id": "a", "name": "A", "allowedDomains": []}'],
    ["a text that no database keeps", "bot.yaml", `# \0\n${HEAD}`],
  ])("is not taken from %s", (_, name, text) => {
    const { bots } = parseBotFiles([{ name, text }], []);
    expect(bots.filter((bot) => bot.text !== undefined)).toEqual([]);
  });
});

describe("a bot file", () => {
  test("becomes a bot, with the place where it begins", () => {
    const { bots, problems } = parseBotFiles([{ name: "bot.yaml", text: `# greeting\n${HEAD}` }], []);
    expect(problems).toEqual([]);
    const text = `# greeting\n${HEAD}`;
    expect(bots).toEqual([
      { document: botWith({ allowedDomains: ["*"] }), source: "bot.yaml", line: 2, text },
    ]);
  });

  test("may have a text of an earlier version that is said no more", () => {
    expect(problemsOf(`${HEAD}texts:\n  mayHelp: "Maybe:"\n`)).toEqual([]);
    expect(problemsOf(`${HEAD}texts:\n  mayhelp: "Maybe:"\n`)).not.toEqual([]);
  });

  test("may hold several documents, with empty ones between them", () => {
    const text = `---\n${HEAD}---\n# nothing\n---\n${HEAD.replace("acme", "other")}---\n`;
    const { bots, problems } = parseBotFiles([{ name: "bot.yaml", text }], []);
    expect(problems).toEqual([]);
    expect(bots.map(({ document, line }) => [document.id as string, line])).toEqual([
      ["acme", 2],
      ["other", 8],
    ]);
  });

  test.each(["bots.yaml", "bots.json"])("may hold a list of bots: %s", (name) => {
    const text =
      '[\n{"id": "acme", "name": "Acme", "allowedDomains": []},\n{"id": "other", "name": "Other", "allowedDomains": []}\n]';
    const { bots, problems } = parseBotFiles([{ name, text }], []);
    expect(problems).toEqual([]);
    expect(bots.map(({ document, line }) => [document.id as string, line])).toEqual([
      ["acme", 2],
      ["other", 3],
    ]);
    const faulty = text.replace('"name": "Other"', '"name": 7');
    expect(problemsOf(faulty, name)).toEqual([
      `${name}:3:25: \`name\` must be text, not the number 7 (put it in quotes)`,
    ]);
    expect(problemsOf("[]", name)).toEqual([
      `${name}:1:1: the list is empty; each entry should be a bot, with \`id\`, \`name\` and \`allowedDomains\``,
    ]);
    expect(problemsOf('[{"id": "acme", "name": "Acme", "allowedDomains": []}, 7]', name)).toEqual([
      `${name}:1:56: a bot must be a mapping of fields, not the number 7`,
    ]);
  });

  test("may begin with a byte order mark and end its lines in CRLF", () => {
    expect(problemsOf(`\uFEFF${HEAD.replaceAll("\n", "\r\n")}`)).toEqual([]);
    expect(problemsOf('\uFEFF{"id":"a","name":"A","allowedDomains":[]}', "bot.json")).toEqual([]);
  });

  test("may use aliases, and JSON written in YAML, indented by tabs", () => {
    expect(
      problemsOf(`${HEAD}intents:\n  - {name: a, examples: &x [hello]}\n  - {name: b, responses: *x}\n`),
    ).toEqual([]);
    expect(problemsOf('{\n\t"id": "a",\n\t"name": "A",\n\t"allowedDomains": [\n\t\t"*"\n\t]\n}')).toEqual([]);
  });

  test("is reported with all its mistakes at once", () => {
    const text = [
      "id: Acme Support",
      "nmae: Acme",
      "alowedDomains: ['*']",
      "monthlyMessageCap: many",
      "theme: {primaryColor: red}",
      "intents:",
      "  - examples: [hi]",
      "capabilityProfile: {deny: [orders.**]}",
    ].join("\n");
    expect(problemsOf(text)).toEqual([
      'bot.yaml:1:5: `id` must be lower-case letters and digits, with single hyphens between them, as in `acme-support`, not "Acme Support"; did you mean `acme-support`?',
      "bot.yaml:2:1: unknown field `nmae`; did you mean `name`?",
      "bot.yaml:3:1: unknown field `alowedDomains`; did you mean `allowedDomains`?",
      'bot.yaml:4:20: `monthlyMessageCap` must be a whole number, not the text "many"',
      'bot.yaml:5:23: `primaryColor` must be a colour such as `#1a73e8`, not "red"',
      "bot.yaml:7:5: the field `name` is missing: lower-case, dot-separated, as in `orders.status`",
      'bot.yaml:8:28: entry 1 of `deny` must be an intent\'s name, a prefix such as `orders.*`, or `*`, not "orders.**"',
    ]);
  });

  test("may not have a webhook told what visitors write", () => {
    const text = "id: b\nname: B\nallowedDomains: ['*']\nhandoff: {webhook: crm, texts: true}";
    expect(problemsOf(text)).toEqual([expect.stringContaining("4:25: unknown field `texts`")]);
  });

  test.each([
    ["", "1:1: this file is empty; a bot needs `id`, `name` and `allowedDomains`"],
    ["# only a comment\n", "1:1: this file is empty; a bot needs `id`, `name` and `allowedDomains`"],
    ["- hello\n", '1:3: a bot must be a mapping of fields, not the text "hello"'],
    ["hello", '1:1: a bot must be a mapping of fields, not the text "hello"'],
    [
      "id: a\nname: A\n",
      '1:1: the field `allowedDomains` is missing: where the widget may stand. `["*"]`: anywhere; `[]`: nowhere',
    ],
    [
      `${HEAD}texts:\n  de-AT:\n    welcomeMesage: Servus\n`,
      "6:5: unknown field `welcomeMesage`; did you mean `welcomeMessage`?",
    ],
    [
      `${HEAD}texts: {pt-BR: {tagline: 1}}\n`,
      "4:26: `tagline` must be text, not the number 1 (put it in quotes)",
    ],
    [`${HEAD}name: B\n`, "4:1: the field `name` is given twice; keep one"],
    [`${HEAD}theme:\n\tposition: end\n`, "5:1: not valid YAML: a tab indents this line; YAML wants spaces"],
    [
      `${HEAD}welcomeMessage: Hi: there\n`,
      "4:17: not valid YAML: text that contains `: ` must stand in quotes",
    ],
    [
      `${HEAD}welcomeMessage: "Hi\ntagline: 'one'\nintents:\n  - name: a\n`,
      "4:17: not valid YAML: the quote that opens here is not closed",
    ],
    [
      `${HEAD}welcomeMessage: "Hi"\ntagline: 'it''s\nintents: []\n`,
      "5:10: not valid YAML: the quote that opens here is not closed",
    ],
    [
      `${HEAD}theme: {position: "end, cornerRadius: 4}\nintents: []\n`,
      "4:19: not valid YAML: the quote that opens here is not closed",
    ],
    [`${HEAD}welcomeMessage: *nope\n`, "4:17: no anchor `&nope` stands before this alias"],
    [
      `${HEAD}welcomeMessage: !!binary aGk=\n`,
      "4:26: the tag `tag:yaml.org,2002:binary` has no meaning here; remove it",
    ],
    [`${HEAD}welcomeMessage: "a\\0b"\n`, "4:17: text must not contain NUL characters"],
    [`${HEAD}welcomeMessage: "a\\uD800"\n`, "4:17: text must not contain half of a surrogate pair"],
    [
      `${HEAD}template: {id: k, bundleUrl: k.js, options: {__proto__: 1}}\n`,
      "4:46: `__proto__` cannot be a field's name",
    ],
    [`${HEAD}template: {id: k, bundleUrl: k.js, options: {a: .inf}}\n`, "4:49: a number must be finite"],
    [
      `${HEAD}template: {id: k, bundleUrl: k.js, options: {[a]: 1}}\n`,
      "4:46: a field's name must be plain text",
    ],
    [
      `${HEAD}welcomeMessage: 12\n`,
      "4:17: `welcomeMessage` must be text, not the number 12 (put it in quotes)",
    ],
    [`${HEAD}welcomeMessage:\n`, "4:16: `welcomeMessage` must be text, not empty"],
    [`${HEAD}enabled: "yes"\n`, '4:10: `enabled` must be true or false, not the text "yes"'],
    [`${HEAD}monthlyMessageCap: -1\n`, "4:20: `monthlyMessageCap` must be at least 0, not -1"],
    [
      `${HEAD}monthlyMessageCap: 1.5\n`,
      "4:20: `monthlyMessageCap` must be a whole number, not the number 1.5",
    ],
    [`${HEAD}rateLimit: {capacity: 1, perMinute: 0}\n`, "4:37: `perMinute` must be at least 0.001, not 0"],
    [`${HEAD}theme: {cornerRadius: 99}\n`, "4:23: `cornerRadius` must be at most 28, not 99"],
    [
      `${HEAD}suggestedQuestionsStyle: pils\n`,
      '4:26: `suggestedQuestionsStyle` must be `pills` or `message_box`, not the text "pils"; did you mean `pills`?',
    ],
    [`${HEAD}responder: {kind: magic}\n`, '4:19: `kind` must be `scripted` or `model`, not the text "magic"'],
    [
      `${HEAD}outputSchema: 5\n`,
      "4:15: `outputSchema` must be a mapping of fields or true or false, not the number 5",
    ],
    [
      `${HEAD}intents: [{name: a, responses: []}]\n`,
      "4:32: `responses` must have at least one entry; without any, leave it out",
    ],
    [
      `${HEAD}intents: [{name: a, examples: [yes: no]}]\n`,
      "4:32: entry 1 of `examples` must be text, not a mapping of fields (text that contains `: ` must stand in quotes)",
    ],
    [
      `${HEAD}intents: [{name: Orders Status}]\n`,
      '4:18: `name` must be lower-case letters and digits, its parts joined by dots, as in `orders.status`, not "Orders Status"; did you mean `orders-status`?',
    ],
    [
      `${HEAD}handoff:\n  hours: {timezone: Berlin, open: [9-17]}\n`,
      '5:36: entry 1 of `open` must be days and times of 24 hours, as `Mo-Fr 09:00-17:30`; the days are Mo, Tu, We, Th, Fr, Sa and Su, or named in the bot\'s language, not "9-17"',
    ],
    [
      `${HEAD}handoff:\n  hours: {timezone: Berlin, open: [Mo 09:00-17:00]}\n`,
      '5:21: "Berlin" is not a time zone; write one such as `Europe/Berlin`; did you mean `Europe/Berlin`?',
    ],
    [
      `${HEAD}handoff: {email: sales at acme.example}\n`,
      '4:18: `email` must be one e-mail address, as `team@example.com`, not "sales at acme.example"',
    ],
    [
      `${HEAD}avatarUrl: /face.png\n`,
      '4:12: `avatarUrl` must begin with `https://` or `http://`, not "/face.png"',
    ],
    [
      `${HEAD}language: german\n`,
      '4:11: `language` must be the tag of a language, as `de` or `pt-BR`, not "german"',
    ],
    [`${HEAD}tests: [{intent: a}]\n`, "4:9: entry 1 of `tests` must have `utterance` or `dialogue`"],
    [
      `${HEAD}tests: [{utterance: a, dialogue: []}]\n`,
      "4:9: entry 1 of `tests` must have either `utterance` or `dialogue`, not both",
    ],
    [
      `${HEAD}tests: [{utterance: a, decision: denied}]\n`,
      '4:34: `decision` must be `allowed`, `DENY_LIST`, `NOT_IN_ALLOW_LIST` or `no_intent_match`, not the text "denied"',
    ],
    [
      `${HEAD}tests: [{utterance: a, expect: b}]\n`,
      "4:24: unknown field `expect` (fields here: utterance, intent, decision, response, endpoint)",
    ],
    [`${HEAD}tests: [{utterance: a, intent: 5}]\n`, "4:32: `intent` must be text or null, not the number 5"],
    [`${HEAD}name2: x\nid: y\n`, "5:1: the field `id` is given twice; keep one"],
  ])("%# %j: %s", (text, problem) => {
    expect(problemsOf(text)).toContain(`bot.yaml:${problem}`);
  });

  test("that is broken in one document is still read in the others", () => {
    const { bots, problems } = parseBotFiles([{ name: "bot.yaml", text: `${HEAD}---\nid: [\n` }], []);
    expect(bots.map(({ document }) => document.id as string)).toEqual(["acme"]);
    expect(problems).toHaveLength(1);
  });

  test("is refused quickly when its aliases grow without bounds", () => {
    const levels = Array.from({ length: 25 }, (_, level) => {
      const list = level === 0 ? "x" : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(9).fill(list).join(", ")}]`;
    });
    expect(problemsOf(HEAD + levels.join("\n")).join("\n")).toContain("aliases make this document too large");
    expect(problemsOf(`${HEAD}intents: &a [*a]\n`).join("\n")).toContain("nested more than 100 levels deep");
  });

  test.each(["[", "{a: ", "- ", '{"a":[', "&a [*a, "])(
    "is refused when it nests %p 20,000 deep",
    (opening) => {
      for (const name of ["bot.yaml", "bot.json"]) {
        expect(problemsOf(opening.repeat(20_000), name).length).toBeGreaterThan(0);
      }
      expect(problemsOf(`${"[".repeat(20_000)}${"]".repeat(20_000)}`)).toEqual([
        "bot.yaml:1:1: nested more than 100 levels deep; bots need far fewer",
      ]);
    },
  );

  test("never makes the reader throw", () => {
    const piece = fc.constantFrom(
      "id: a\n",
      "name: A\n",
      "- ",
      "[",
      "]",
      "{",
      "}",
      "*a",
      "&a ",
      "!!x ",
      ": ",
      "\t",
      "\n",
      '"',
      "---\n",
      "? ",
      "|",
      "%YAML 9\n",
      "\0",
      "<<: ",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, fc.constantFrom("bot.yaml", "bot.json"), (broken, name) => {
        const { bots, problems } = parseBotFiles([{ name, text: broken }], []);
        expect(bots.length + problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a file with far too much in it", () => {
  const FEWER = "more fields and entries than a bot needs (some 100,000); split it into a file for each bot";

  test.each([
    ["bot.yaml", "a: 1\n".repeat(1_000_000)],
    ["bot.yaml", `[${"a,".repeat(1_000_000)}]`],
    ["bot.yaml", "---\na\n".repeat(500_000)],
    ["bot.yaml", "# nothing\n".repeat(700_000)],
    ["bot.json", `[${"1,".repeat(1_000_000)}1]`],
  ])("is refused in %s before it is taken apart", (name, text) => {
    const { bots, problems } = parseBotFiles([{ name, text }], []);
    expect(bots).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([FEWER]);
  });

  test("is refused where its brackets begin to nest too deep, however many follow", () => {
    expect(problemsOf("[".repeat(8_000_000))).toEqual([
      "bot.yaml:1:1: nested more than 100 levels deep; bots need far fewer",
    ]);
  });

  test("has 200 of its problems told, errors before warnings, and how many more there are", () => {
    const rule: BotRule = () =>
      Array.from({ length: 300 }, (_, at) => ({
        pointer: at % 2 === 0 ? "/name" : "/id",
        message: `the ${at}th`,
        severity: at < 100 ? "warning" : "error",
      }));
    const { problems, mistakes } = parseBotFiles([{ name: "a.yaml", text: HEAD }], [rule]);
    expect(problems).toHaveLength(201);
    expect(problems.filter(({ severity }) => severity === "error")).toHaveLength(200);
    expect(formatProblem(problems.at(-1)!)).toBe("a.yaml:2:7: warning: and 100 more problems in this file");
    expect(mistakes).toBe(200);
    const unknown = `${HEAD}${Array.from({ length: 1000 }, (_, at) => `x${at}: 1\n`).join("")}`;
    const told = parseBotFiles([{ name: "a.yaml", text: unknown }], []);
    expect(told.problems.map(formatProblem).at(-1)).toBe("a.yaml:203:1: and 800 more problems in this file");
    expect(told.mistakes).toBe(1000);
  });

  test("has a repeated field found among tens of thousands", () => {
    const fields = Array.from({ length: 60_000 }, (_, at) => `    f${at}: 1\n`).join("");
    const options = `template:\n  id: t\n  bundleUrl: t.js\n  options:\n    f7: 1\n${fields}`;
    expect(problemsOf(HEAD + options)).toEqual(["bot.yaml:16:5: the field `f7` is given twice; keep one"]);
  });
});

const complaining: BotRule = () => [
  { pointer: "/name", message: "bad name", severity: "error" },
  { pointer: "/fallbackResponse", message: "missing", severity: "warning" },
];

describe("rules over bots", () => {
  test("report at the place that their pointer names, or at the closest thing around it", () => {
    expect(problemsOf(HEAD, "bot.yaml", [complaining])).toEqual([
      "bot.yaml:1:1: warning: missing",
      "bot.yaml:2:7: bad name",
    ]);
  });

  test("never see a field of the wrong shape", () => {
    const seen: unknown[] = [];
    const watching: BotRule = (bot) => {
      seen.push(bot);
      return [];
    };
    problemsOf(
      'id: acme\nname: [Acme]\nallowedDomains: ["*"]\nintents: 3\ndefaultIntent: orders\n',
      "bot.yaml",
      [watching],
    );
    expect(seen).toEqual([{ id: "acme", name: "Unnamed", allowedDomains: ["*"] }]);
  });
});

describe("an id used twice", () => {
  test("is reported with both places, across files and documents", () => {
    const { problems } = parseBotFiles(
      [
        { name: "a.yaml", text: HEAD },
        { name: "b.yaml", text: `name: B\nallowedDomains: []\nid: acme\n---\n${HEAD}` },
      ],
      [],
    );
    expect(problems.map(formatProblem)).toEqual([
      "b.yaml:3:5: the id `acme` is already used at a.yaml:1:5; every bot needs its own",
      "b.yaml:5:5: the id `acme` is already used at a.yaml:1:5; every bot needs its own",
    ]);
  });
});

test("mistakes of shape do not hide mistakes of meaning in other fields", () => {
  const text =
    'id: x\nname: 3\nallowedDomains: ["https://a.example/path"]\nintents: none\ndefaultIntent: orders\n';
  const { problems } = parseBotFiles([{ name: "x.yaml", text }], [checkAllowedDomains]);
  expect(problems.map(({ line, column }) => `${line}:${column}`)).toEqual(["2:7", "3:18", "4:10"]);
});

describe.each(Object.getOwnPropertyNames(Object.prototype))("a field named `%s`", (name) => {
  const unknownAt = (place: string) => expect.stringContaining(`${place}: unknown field \`${name}\``);
  const rules = [...BOT_RULES];

  test("is unknown like any other, with its place, at the top and below it", () => {
    expect(problemsOf(`${HEAD}${name}: 1\n`, "bot.yaml", rules)).toContainEqual(unknownAt("bot.yaml:4:1"));
    const intents = `intents:\n  - name: a\n    ${name}: 1\n`;
    expect(problemsOf(`${HEAD}${intents}`, "bot.yaml", rules)).toContainEqual(unknownAt("bot.yaml:6:5"));
    const json = `{"id": "acme", "name": "Acme", "allowedDomains": [],\n"${name}": {}}`;
    expect(problemsOf(json, "bot.json", rules)).toContainEqual(unknownAt("bot.json:2:1"));
  });

  test("hides no other mistake of the file", () => {
    const problems = problemsOf(`${HEAD}${name}: 1\ndefaultIntent: nowhere\n`, "bot.yaml", rules);
    expect(problems.at(-1)).toContain("this bot has no intent `nowhere`");
  });
});
