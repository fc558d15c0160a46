import { describe, expect, test } from "bun:test";

import { createProgram } from "../../../src/cli/program.ts";
import { HELP_TOPICS, helpAsHtml, helpAsText } from "../../../src/help/help.ts";
import { helpPage } from "../../../src/http/help.ts";
import { recordingTerminal, runInTerminal } from "../../support/cli.ts";
import { pageOf, PAGES } from "../../support/docs.ts";

const idsOf = (html: string) => Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id!);
const hrefsOf = (html: string) => Array.from(html.matchAll(/ href="([^"]+)"/g), ([, href]) => href!);
const topicNamed = (name: string) => HELP_TOPICS.find((topic) => topic.name === name)!;

describe("topics", () => {
  test("are all pages on operating, and none is called as a command", () => {
    const sources = HELP_TOPICS.map(({ source }) => `docs/${source}`);
    expect([...PAGES.keys()].filter((path) => path.startsWith("docs/operating")).toSorted()).toEqual(
      sources.filter((path) => path.startsWith("docs/operating")).toSorted(),
    );
    const commands = createProgram(recordingTerminal().terminal).commands.map((command) => command.name());
    expect(commands).toContain("backup");
    expect(HELP_TOPICS.filter(({ name }) => commands.includes(name))).toEqual([]);
  });

  test("lead to each other as HTML: to pages and headings that are there, and to other sites", () => {
    const pages = new Map(HELP_TOPICS.map((topic) => [`/help/${topic.name}`, helpAsHtml(topic)]));
    const links = [...pages.values()].flatMap(hrefsOf).filter((href) => !/^https?:/.test(href));
    expect(links.length).toBeGreaterThan(100);
    const dead = links.filter((href) => {
      const [path = "", id] = href.split("#");
      const html = pages.get(path);
      return html === undefined || (id !== undefined && !idsOf(html).includes(id));
    });
    expect(dead).toEqual([]);
  });

  test("have no address of a file that the executable does not hold, and no script", () => {
    for (const topic of HELP_TOPICS) {
      expect(helpAsHtml(topic)).not.toMatch(/\.md"|<img|<script/);
      expect(helpAsText(topic, String)).not.toMatch(/\]\([^)]*\.md/);
    }
  });

  test("keep code as it stands", () => {
    const html = helpAsHtml(topicNamed("install"));
    expect(html).toContain('<code class="language-sh">parley --version\n</code>');
    const text = helpAsText(topicNamed("install"), String);
    expect(text).toContain("\n    parley seed bots/ --issue-tokens\n");
    expect(text).not.toContain("```");
  });
});

test("a page links back to the console and names the topics by their titles", async () => {
  const html = await helpPage("/help/backups", undefined)!.text();
  expect(html).toContain('<a href="/">← Console</a>');
  expect(html).toContain("<title>Backups, upgrades and moving · Parley help</title>");
  expect(html).toContain('<a href="/help/how-messages-are-judged">How messages are judged</a>');
});

describe("parley help", () => {
  test("prints a topic's page, with its links as commands", async () => {
    const { stdout, exitCode } = await runInTerminal(["help", "backups"]);
    expect(stdout).toStartWith("Backups, upgrades and moving\n============================\n");
    expect(stdout).toContain("install page (`parley help install`)");
    expect(pageOf("docs/operating/backups.md")).toContain("[install page](install.md#as-a-service)");
    expect(exitCode).toBe(0);
  });

  test("prints the help of a command by its name", async () => {
    const { stdout } = await runInTerminal(["help", "backup"]);
    expect(stdout).toStartWith("Usage: parley backup ");
  });

  test("ends with 2 for what is neither, and names the nearest", async () => {
    const { stdout, stderr, exitCode } = await runInTerminal(["help", "bakcups"]);
    expect(stderr).toContain("there is no command or topic `bakcups`; did you mean `backups`?");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
  });

  test("lists commands and topics", async () => {
    const { stdout } = await runInTerminal(["help"]);
    expect(stdout).toMatch(/^ {2}backup \[options\] \[file\] /m);
    for (const { name, about } of HELP_TOPICS)
      expect(stdout.replaceAll(/ +/g, " ")).toContain(` ${name} ${about}`);
  });
});
