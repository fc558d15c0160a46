import { join } from "node:path";

import type { Command } from "@commander-js/extra-typings";

import type { Config, FlagValues } from "../../config/config.ts";
import { SETTING_NAMES } from "../../config/settings.ts";
import { formatBytes } from "../../domain/bytes.ts";
import { describeVersion } from "../../domain/version.ts";
import { FILES } from "../../operate/doctor/examine-folder.ts";
import { examine } from "../../operate/doctor/examine.ts";
import { type Finding, listNames, type Severity, worstOf } from "../../operate/doctor/finding.ts";
import type { OnTable } from "../../operate/doctor/integrity.ts";
import { examineReadiness } from "../../operate/doctor/listeners.ts";
import type { SecretFile } from "../../operate/doctor/rights.ts";
import type { Testing } from "../../operate/doctor/tests.ts";
import { KEYS_FILE } from "../../operate/service-unit.ts";
import { lookAtPath } from "../../store/sqlite/usable-folder.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { CheckFailedError, InputError } from "../exit-code.ts";
import { counted, formatInstant, formatJson, printable } from "../format.ts";
import { Progress } from "../progress.ts";
import { addSettings, configFileOf, givenText, holdsSecret, readConfig } from "../settings-options.ts";
import type { Colours, Terminal } from "../terminal.ts";

/** Checking a larger database takes seconds or more, so a line announces it. */
const LARGE_BYTES = 512 * 1024 * 1024;

/** `parley doctor` */
export function addDoctor(program: Command, terminal: Terminal): void {
  const command = program
    .command("doctor")
    .description(
      "find what is wrong with an installation, and say how to fix it. Only reads, except with --confirm-clock, and may run while a server runs.\n\n" +
        "Exit codes: 0 nothing but hints, 1 something to mend, 3 something is broken. Takes the settings of `parley serve`.",
    )
    .option(
      "--quick",
      "skip slow checks: reading the whole database, running tests of bots, connecting to model servers and the mail server",
    )
    .option(
      "--confirm-clock",
      "only confirm that the clock is right, so that servers resume deleting expired data within a minute",
    )
    .option("--ready", "only ask the running server whether it is ready, for a container's health check")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, SETTING_NAMES),
    "parley doctor --data /var/lib/parley",
    "parley doctor --config parley.yaml --quick --json",
    "parley doctor --ready",
    "parley doctor --confirm-clock --data /var/lib/parley",
  );
  command.action(async (options) => {
    const config = readConfig(terminal, options);
    if (options.confirmClock) return confirmClock(terminal, config, options);
    const show = (finding: Finding) => terminal.print(formatFinding(finding, terminal.colours.out));
    const findings: Finding[] = [];
    for await (const finding of look(terminal, config, options)) {
      findings.push(finding);
      if (!options.json) show(finding);
    }
    const severity = worstOf(findings);
    if (options.json) {
      terminal.print(formatJson({ version: describeVersion(), data: config.data, severity, findings }));
    }
    if (severity === "broken") throw new CheckFailedError(summarise(findings));
    if (severity === "mend") throw new InputError(summarise(findings));
    if (!options.json) terminal.say(summarise(findings));
  });
}

async function confirmClock(
  terminal: Terminal,
  config: Config,
  { json: isJson = false }: { json?: boolean },
): Promise<void> {
  await using store = await openExistingStore(terminal, config);
  const now = terminal.now();
  const { heartbeatAt, aheadMs, isTrusted } = await store.clockState(now);
  await store.confirmClock(now);
  if (isJson)
    return terminal.print(formatJson({ confirmedAt: now, heartbeatAt, aheadMs, wasTrusted: isTrusted }));
  terminal.say(`the clock is confirmed: ${formatInstant(now)}`);
}

async function* look(
  terminal: Terminal,
  config: Config,
  options: FlagValues & { quick?: boolean; ready?: boolean },
): AsyncGenerator<Finding> {
  using progress = new Progress(terminal);
  const { env, now } = terminal;
  const { quick: isQuick = false, ready: isReadiness = false } = options;
  const onTable: OnTable = (table, share) => progress.report(`checking ${table}`, share);
  if (isReadiness) {
    yield await examineReadiness(config);
  } else {
    if (!isQuick) sayIfLarge(terminal, config);
    const testing: Testing = {
      async openRehearsal(...bot) {
        const { openRehearsal } = await import("../../runtime/open-rehearsal.ts");
        return openRehearsal(config, ...bot);
      },
      onStart: (bots) =>
        progress.announce(`running the tests of ${counted(bots, "bot")}; --quick skips this`),
      onTest: (botId, share) => progress.report(`testing ${botId}`, share),
    };
    const secretFiles = secretFilesOf(terminal, options, config);
    const onStep = (what: string, share: number) => progress.report(what, share);
    yield* examine({ config, env, secretFiles, now, isQuick, onTable, onStep, testing });
  }
}

/** Files with secrets: the config file, and the file that the unit of `parley service` reads. */
function secretFilesOf(terminal: Terminal, options: FlagValues, config: Config): SecretFile[] {
  const configFile = configFileOf(terminal, options);
  const ofFile = SETTING_NAMES.filter(
    (name) => !givenText(terminal, options, name) && holdsSecret(config, name),
  );
  return [
    { path: KEYS_FILE, holds: "secrets of the service" },
    ...(configFile === undefined || ofFile.length === 0
      ? []
      : [{ path: configFile, holds: `the secret of ${listNames(ofFile)}` }]),
  ];
}

function sayIfLarge({ say }: Terminal, { data }: Config): void {
  const size = lookAtPath(join(data, FILES.database))?.size ?? 0;
  if (size >= LARGE_BYTES) say(`reading all ${formatBytes(size)} of the database; --quick skips this`);
}

const CHECK_WIDTH = "write-ahead-log".length;
const SEVERITY_WIDTH = "broken".length;
const INDENT = " ".repeat(SEVERITY_WIDTH + CHECK_WIDTH + 4);

/** A finding on one line, and its remedy on the next. */
function formatFinding(finding: Finding, colours: Colours): string {
  const { check, severity } = finding;
  const label = colourOf(severity, colours)(severity.padEnd(SEVERITY_WIDTH));
  const line = `${label}  ${check.padEnd(CHECK_WIDTH)}  ${printable(finding.message)}`;
  return finding.severity === "fine" ? line : `${line}\n${INDENT}→ ${printable(finding.cure)}`;
}

function colourOf(severity: Severity, { green, cyan, yellow, red }: Colours): Colours["green"] {
  return { fine: green, hint: cyan, mend: yellow, broken: red }[severity];
}

/** Number of findings by severity: `1 broken, 2 to mend, 1 hint`; `nothing to do` if there are none. */
function summarise(findings: readonly Finding[]): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const parts = [
    [count("broken"), `${count("broken")} broken`],
    [count("mend"), `${count("mend")} to mend`],
    [count("hint"), counted(count("hint"), "hint")],
  ] as const;
  return parts.flatMap(([number, words]) => (number > 0 ? [words] : [])).join(", ") || "nothing to do";
}
