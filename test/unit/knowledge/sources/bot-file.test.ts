import { describe, expect, test } from "bun:test";

import { checkKnowledgeSources } from "../../../../src/knowledge/sources/check-sources.ts";
import { knowledgeSources } from "../../../../src/knowledge/sources/source.ts";
import { parseBotFiles } from "../../../../src/seed/bot-file.ts";
import { exportBot } from "../../../../src/seed/export-bot.ts";
import { formatProblem } from "../../../../src/seed/problem.ts";

const HEAD = 'id: acme\nname: Acme\nallowedDomains: ["*"]\n';

const parse = (knowledge: string) =>
  parseBotFiles([{ name: "bot.yaml", text: `${HEAD}knowledge: ${knowledge}\n` }], [checkKnowledgeSources]);

const problemsOf = (knowledge: string): string[] =>
  parse(knowledge)
    .problems.map(formatProblem)
    .map((problem) => problem.replace("bot.yaml:", ""));

const ALL_KINDS =
  "[docs/, faq.md, {path: ./help/, url: 'https://a.example/help/'}, https://a.example/faq, {sitemap: 'https://a.example/sitemap.xml', only: [/help/]}]";

describe("the field `knowledge`", () => {
  test("names files, folders, pages and sitemaps", () => {
    const { bots, problems } = parse(ALL_KINDS);
    expect(problems).toEqual([]);
    expect(knowledgeSources(bots[0]!.document)).toEqual([
      { kind: "files", name: "docs/", path: "docs" },
      { kind: "files", name: "faq.md", path: "faq.md" },
      { kind: "files", name: "./help/", path: "help", url: "https://a.example/help/" },
      { kind: "page", name: "https://a.example/faq", url: "https://a.example/faq" },
      {
        kind: "sitemap",
        name: "https://a.example/sitemap.xml",
        url: "https://a.example/sitemap.xml",
        only: ["/help/"],
      },
    ]);
  });

  test("may be a mapping, with who words the answers", () => {
    const { bots, problems } = parse("{sources: [docs/], answer: model}");
    expect(problems).toEqual([]);
    expect(knowledgeSources(bots[0]!.document)).toEqual([{ kind: "files", name: "docs/", path: "docs" }]);
  });

  test("comes out of an export as it went in", () => {
    const [bot] = parse(ALL_KINDS).bots;
    const again = parseBotFiles([{ name: "bot.yaml", text: exportBot(bot!.document) }], []);
    expect(again.bots[0]!.document).toEqual(bot!.document);
  });

  test("may be left out", () => expect(knowledgeSources({})).toEqual([]));

  test.each([
    ["docs/", '4:12: `knowledge` must be a list or a mapping of fields, not the text "docs/"'],
    ["[]", "4:12: `knowledge` must have at least one entry; without any, leave it out"],
    ["[7]", "4:13: entry 1 of `knowledge` must be text or a mapping of fields, not the number 7"],
    ["[{}]", "4:13: entry 1 of `knowledge` must have `path` or `sitemap`"],
    ["[a.md, {url: https://a.example}]", "4:19: entry 2 of `knowledge` must have `path` or `sitemap`"],
    ["[{path: a, titel: b}]", "4:23: unknown field `titel` (fields here: path, url, exclude)"],
    [
      "[{path: a, sitemap: b}]",
      "4:13: entry 1 of `knowledge` must have either `path` or `sitemap`, not both",
    ],
    [
      "{sources: [a], answer: modell}",
      '4:35: `answer` must be `extract` or `model`, not the text "modell"; did you mean `model`?',
    ],
    ["{answer: model}", "4:1: the field `sources` is missing"],
    [
      "[/etc/passwd]",
      "4:13: `/etc/passwd` is not counted from the bot file's folder; write it as `docs/` or `faq.md`",
    ],
    ["[~/docs]", "4:13: `~/docs` is not counted from the bot file's folder; write it as `docs/` or `faq.md`"],
    [
      "['C:/docs']",
      "4:13: `C:/docs` is not counted from the bot file's folder; write it as `docs/` or `faq.md`",
    ],
    [
      "[docs/../../secret.md]",
      "4:13: `docs/../../secret.md` leads out of the bot file's folder; put the documents inside it",
    ],
    ["[{path: ..}]", "4:20: `..` leads out of the bot file's folder; put the documents inside it"],
    ["['docs\\faq.md']", "4:13: paths are written with `/`, on every system"],
    ["[file:///etc/passwd]", "4:13: an address begins with `https://` or `http://`, not `file://`"],
    ["[https://user:secret@a.example/]", "4:13: an address must not carry a name or a password"],
    [
      "[{sitemap: sitemap.xml}]",
      "4:23: `sitemap.xml` is not an address; write it as `https://example.com/help/`",
    ],
    [
      "[{path: a, url: 'javascript:alert(1)'}]",
      "4:28: an address begins with `https://` or `http://`, not `javascript://`",
    ],
    [
      "[{path: https://a.example/}]",
      "4:20: `path` is a file or folder; an address stands in the list by itself",
    ],
    [
      "[{sitemap: 'https://a.example/s.xml', only: [help/]}]",
      '4:57: entry 1 of `only` must begin with `/`, as in `/help/`, not "help/"',
    ],
    ["[a.md, b.md, a.md]", "4:25: `a.md` is named twice; keep one"],
  ])("says what is wrong with %s", (knowledge, problem) => {
    expect(problemsOf(knowledge)).toEqual([problem]);
  });
});
