import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import * as fc from "fast-check";

import { createProgram } from "../../src/cli/program.ts";
import { CliFixture, recordingTerminal, stopOnce } from "../support/cli.ts";
import { anyText } from "./odd.ts";
import { type Batches, type Report, batchesOf } from "./report.ts";

/** They go on until they are told to stop; what they do with odd settings is tried as settings. */
const LASTING: ReadonlySet<string> = new Set(["serve", "quickstart"]);

/** Files are made in the fixture's folder alone. */
const anyWord = fc.oneof(
  anyText.map((text) => text.replaceAll(/[/\\]|\.\./g, "_").slice(0, 200)),
  fc.constantFrom(
    "acme",
    "support",
    "-",
    "--",
    "-1",
    "2026-11-01",
    "7d",
    "1e9",
    "orders.*",
    "example.com",
    "copy.db",
  ),
);

/** Runs odd command lines over a folder with two bots: each ends with one of the four exit codes, and none with a defect. */
export async function fuzzCommandLines(report: Report, batches: Batches): Promise<void> {
  const commands = withDescendants(createProgram(recordingTerminal().terminal));
  using fixture = new CliFixture();
  await fixture.seed("acme", "support");
  const before = process.cwd();
  process.chdir(fixture.folder);
  try {
    for (const batch of batchesOf(anyCommandLine(commands), batches)) {
      for (const args of batch) await runOne(report, fixture, args);
    }
  } finally {
    process.chdir(before);
  }
}

async function runOne(report: Report, fixture: CliFixture, args: readonly string[]): Promise<void> {
  const stdin = "id: piped\nname: Piped\nallowedDomains: []\n";
  const { exitCode, stderr } = await fixture.run(args, { stdin, confirm: false, onStopSignal: stopOnce() });
  report.count("command lines");
  if (![0, 1, 2, 3].includes(exitCode) || stderr.includes("defect in Parley"))
    report.note("command line", `${JSON.stringify(args)}: exit code ${exitCode}: ${stderr.slice(0, 800)}`);
}

function anyCommandLine(commands: readonly CommandUnknownOpts[]): fc.Arbitrary<string[]> {
  return fc.constantFrom(...commands).chain((command) => {
    const flags = [...command.options.flatMap(({ long }) => long ?? []), "--help", "--no-such-flag"];
    const flag = fc.constantFrom(...flags);
    const given = fc.oneof(
      anyWord.map((word) => [word]),
      flag.map((name) => [name]),
      fc.tuple(flag, anyWord).map(([name, word]) => [name, word]),
      fc.tuple(flag, anyWord).map(([name, word]) => [`${name}=${word}`]),
    );
    return fc.array(given, { maxLength: 5 }).map((parts) => [...pathOf(command), ...parts.flat()]);
  });
}

function withDescendants(command: CommandUnknownOpts): CommandUnknownOpts[] {
  const children = command.commands.filter((child) => !LASTING.has(child.name()));
  return [command, ...children.flatMap(withDescendants)];
}

function pathOf(command: CommandUnknownOpts): string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [];
}
