import { describe, expect, test } from "bun:test";

import type { CommandUnknownOpts } from "@commander-js/extra-typings";

import { createProgram } from "../../../src/cli/program.ts";
import { findHelpTopic, HELP_TOPICS } from "../../../src/help/help.ts";
import { recordingTerminal } from "../../support/cli.ts";
import { blocksOf, codeLinesOf, codeSpansOf, PAGES, pageOf } from "../../support/docs.ts";

/** The changelog tells of the past, where commands may have been others. */
const GUIDES = [...PAGES].filter(([path]) => path !== "CHANGELOG.md");

const PROGRAM: CommandUnknownOpts = createProgram(recordingTerminal().terminal);

/** Commands by their names alone, as in `parley bot list`. */
const NAMES = new Set(withDescendants(PROGRAM).map(lineOf));

/** What may stand before a command: a prompt, a line of systemd, a variable. */
const COMMAND_LINE = /^(?:\$ |ExecStart=\S*\/)?(?:PARLEY_\w+=\S+ )?(?:dist\/)?(parley(?: .*)?)$/;

/** Command lines of a page that begin with `parley`, without comments, pipes and redirections. */
function commandLinesOf(page: string): string[] {
  return [...codeLinesOf(page), ...codeSpansOf(page)]
    .flatMap((code) => COMMAND_LINE.exec(code.trim())?.[1] ?? [])
    .map((line) => line.replace(/ [#|>] ?.*/, ""));
}

/** What the program would not understand of a command line. What stands where a command takes arguments is a value. */
function unknownParts(line: string): string[] {
  const [, first, ...topics] = line.split(" ");
  if (first === "help") return topics.filter((name) => name !== "TOPIC" && !findHelpTopic(name));
  let command = PROGRAM;
  const unknown: string[] = [];
  for (const word of line.replaceAll(/[[\]]/g, "").split(/\s+/).slice(1)) {
    const next = command.commands.find((child) => child.name() === word);
    if (word.startsWith("-")) {
      if (!optionsOf(command).includes(word)) unknown.push(word);
    } else if (next !== undefined) command = next;
    else if (command.commands.length > 0 && word !== "…") unknown.push(word);
  }
  return unknown;
}

function optionsOf(command: CommandUnknownOpts): string[] {
  return ["--help", ...command.options.flatMap(({ long }) => long ?? [])];
}

/** Without those that are hidden: nobody is to type them. */
function withDescendants(command: CommandUnknownOpts): CommandUnknownOpts[] {
  const visible = command.createHelp().visibleCommands(command);
  return [command, ...command.commands.filter((child) => visible.includes(child)).flatMap(withDescendants)];
}

/** As a command line names it: `parley bot export`. */
function lineOf(command: CommandUnknownOpts): string {
  return command.parent ? `${lineOf(command.parent)} ${command.name()}` : command.name();
}

test("command lines are understood by the program, flags too", () => {
  const lines = GUIDES.flatMap(([path, page]) => commandLinesOf(page).map((line) => ({ path, line })));
  expect(lines.length).toBeGreaterThan(40);
  const unknown = lines.flatMap(({ path, line }) =>
    unknownParts(line).map((part) => `${path}: ${part} of ${line}`),
  );
  expect(unknown).toEqual([]);
});

test("flags by themselves are flags of some command", () => {
  const known = new Set(withDescendants(PROGRAM).flatMap(optionsOf));
  const flags = GUIDES.flatMap(([path, page]) =>
    codeSpansOf(page).map((code) => ({ path, flag: /^--[a-z][a-z-]*/.exec(code)?.[0] ?? "" })),
  ).filter(({ flag }) => flag !== "");
  expect(flags.length).toBeGreaterThan(20);
  expect(flags.filter(({ flag }) => !known.has(flag))).toEqual([]);
});

test("the table of commands leaves none out", () => {
  const documented = commandLinesOf(pageOf("docs/operating/settings.md"));
  const commands = withDescendants(PROGRAM).filter(({ commands: children }) => children.length === 0);
  expect(commands.length).toBeGreaterThan(15);
  const missing = commands
    .map(lineOf)
    .filter((line) => !documented.some((other) => `${other} `.startsWith(`${line} `)));
  expect(missing).toEqual([]);
});

describe("pages on operating", () => {
  const pages = HELP_TOPICS.filter(({ source }) => source.startsWith("operating")).map(
    ({ source }) => [source, pageOf(`docs/${source}`)] as const,
  );
  const run = pages.flatMap(([, page]) =>
    blocksOf(page).flatMap(({ language, text }) => (language === "sh" ? text.split("\n") : [])),
  );

  test("have their commands in blocks that the test of the executable runs", () => {
    const others = pages.flatMap(([path, page]) =>
      blocksOf(page)
        .filter(({ language }) => language !== "sh")
        .flatMap(({ text }) => text.split("\n"))
        .filter((line) => /^(?:\$ |sudo )?(?:parley|curl) /.test(line))
        .map((line) => `${path}: ${line}`),
    );
    expect(others).toEqual([]);
    expect(run.filter((line) => /\b(?:parley|curl) /.test(line)).length).toBeGreaterThan(50);
  });

  test("have no command in their text that could be typed as it is, and is not run", () => {
    const typed = pages.flatMap(([path, page]) =>
      codeSpansOf(page)
        .filter((code) => /^(?:parley|curl) /.test(code) && !/[A-Z]{2}|…/.test(code))
        .filter((code) => !NAMES.has(code) && !run.some((line) => line.includes(code)))
        .map((code) => `${path}: ${code}`),
    );
    expect(typed).toEqual([]);
  });

  test("fit a screen: no line has more than 100 characters", () => {
    const long = pages.flatMap(([path, page]) =>
      page.split("\n").flatMap((line, at) => (line.length > 100 ? `${path}:${at + 1}` : [])),
    );
    expect(long).toEqual([]);
  });

  test("begin with a list of their parts", () => {
    for (const [path, page] of pages.slice(1)) {
      const parts = Array.from(page.matchAll(/^## (.+)$/gm), ([, title]) => title!);
      const contents = page.slice(0, page.indexOf("\n## "));
      const listed = Array.from(contents.matchAll(/^- \[([^\]]+)\]\(#/gm), ([, title]) => title!);
      expect([path, listed]).toEqual([path, parts]);
    }
  });
});

test.each([
  ["parley help backups", []],
  ["parley help bakcups", ["bakcups"]],
  ["parley seed bots/ --prune", []],
  ["parley bot lst", ["lst"]],
  ["parley bot show acme --jsn", ["--jsn"]],
  ["parley --licenses", []],
])("%s: not understood is %p", (line, unknown) => {
  expect(unknownParts(line)).toEqual(unknown);
});
