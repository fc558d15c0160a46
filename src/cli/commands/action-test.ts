import type { Command } from "@commander-js/extra-typings";

import {
  ActionInputError,
  type ActionReport,
  type ActionToTest,
  callAction,
  describeRequest,
  prepareAction,
} from "../../operate/test-action.ts";
import { BOT_OR_FILE, readBotOrFile } from "../bot-or-file.ts";
import { addExamples } from "../examples.ts";
import { CheckFailedError, UsageError } from "../exit-code.ts";
import { formatJson, printable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley action …` */
export function addActionCommands(program: Command, terminal: Terminal): void {
  const action = program
    .command("action")
    .description("test actions of intents, which call endpoints of the config file");
  const command = action
    .command("test")
    .description("call the endpoint of an intent's action, and show the bot's answer")
    .argument("<bot>", BOT_OR_FILE)
    .argument("<intent>", "the intent")
    .option("--slot <name=value>", "a value as a visitor would write it; repeat for each slot", collect, [])
    .option("--dry-run", "show the request without sending it")
    .option("--yes", "do not ask before sending a request other than GET")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store", "endpoints"]),
    "parley action test acme orders.status --slot orderNumber=48213 --slot email=ann@example.org --config parley.yaml",
    "parley action test bots/acme.yaml orders.cancel --slot orderNumber=48213 --dry-run",
  );
  command.action(async (name, intent, options) => {
    const config = readConfig(terminal, options);
    const { document } = await readBotOrFile(terminal, config, name);
    const test = prepared(() => prepareAction(document, intent, slotsIn(options.slot), terminal.now()));
    if (!options.dryRun) await assertWanted(terminal, test, options.yes === true);
    const report = options.dryRun
      ? describeRequest(test)
      : await callAction(test, config.endpoints, terminal);
    terminal.print(options.json ? formatJson(report) : printable(formatReport(report)));
    if (report.fault !== undefined) throw new CheckFailedError(report.fault);
  });
}

const collect = (text: string, before: string[]): string[] => [...before, text];

/** @throws UsageError */
function slotsIn(texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw new UsageError(`--slot takes name=value, not \`${text}\``);
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );
}

function prepared(prepare: () => ActionToTest): ActionToTest {
  try {
    return prepare();
  } catch (error) {
    if (error instanceof ActionInputError) throw new UsageError(error.message);
    throw error;
  }
}

/** Any request other than GET may change data on the operator's service, so the operator has to confirm it. @throws UsageError */
async function assertWanted(terminal: Terminal, test: ActionToTest, isSure: boolean): Promise<void> {
  const { method, path, endpoint } = describeRequest(test);
  if (method === "GET" || isSure) return;
  if (!terminal.isInteractive)
    throw new UsageError(
      `${method} may change data at \`${endpoint}\`; confirm with --yes, or show the request with --dry-run`,
    );
  const isWanted = await terminal.confirm(printable(`Really send ${method} ${path} to \`${endpoint}\`?`));
  if (!isWanted) throw new UsageError("nothing was sent");
}

function formatReport({
  endpoint,
  method,
  path,
  body,
  status,
  milliseconds,
  says,
  fault,
}: ActionReport): string {
  return [
    `request     ${method} ${path} to ${endpoint}`,
    ...(body === undefined ? [] : [`body        ${JSON.stringify(body)}`]),
    ...(status === undefined ? [] : [`status      ${status}, in ${milliseconds} ms`]),
    ...(says === undefined ? [] : [`says        ${says}`]),
    ...(fault === undefined ? [] : [`fault       ${fault}`]),
  ].join("\n");
}
