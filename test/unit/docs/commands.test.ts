import { expect, test } from "bun:test";

import type { CommandUnknownOpts } from "@commander-js/extra-typings";

import { createProgram } from "../../../src/cli/program.ts";
import { recordingTerminal } from "../../support/cli.ts";
import { codeLinesOf, codeSpansOf, PAGES, pageOf } from "../../support/docs.ts";

/** The changelog tells of the past, where commands may have been others. */
const GUIDES = [...PAGES].filter(([path]) => path !== "CHANGELOG.md");

const PROGRAM: CommandUnknownOpts = createProgram(recordingTerminal().terminal);

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
  const documented = commandLinesOf(pageOf("docs/operating.md"));
  const commands = withDescendants(PROGRAM).filter(({ commands: children }) => children.length === 0);
  expect(commands.length).toBeGreaterThan(15);
  const missing = commands
    .map(lineOf)
    .filter((line) => !documented.some((other) => `${other} `.startsWith(`${line} `)));
  expect(missing).toEqual([]);
});

test.each([
  ["parley seed bots/ --prune", []],
  ["parley bot lst", ["lst"]],
  ["parley bot show acme --jsn", ["--jsn"]],
  ["parley --licenses", []],
])("%s: not understood is %p", (line, unknown) => {
  expect(unknownParts(line)).toEqual(unknown);
});
