import { readFileSync } from "node:fs";

import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";

import licenses from "../../docs/NOTICE.md" with { type: "file" };
import { didYouMean } from "../domain/closest-name.ts";
import { describeVersion } from "../domain/version.ts";
import { findHelpTopic, HELP_TOPICS, helpAsText, type HelpTopic } from "../help/help.ts";
import { CHECK_COMMAND, quickCheck } from "../store/sqlite/quick-check.ts";
import { addActionCommands } from "./commands/action-test.ts";
import { addAuditCommands } from "./commands/audit.ts";
import { addBackup, addRestore } from "./commands/backup.ts";
import { addBotCommands } from "./commands/bot.ts";
import { addChat } from "./commands/chat.ts";
import { addConversationCommands } from "./commands/conversation.ts";
import { addCopy } from "./commands/copy.ts";
import { addMailCommands, addWebhookCommands } from "./commands/delivery-test.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEval } from "./commands/eval.ts";
import { addExplain } from "./commands/explain.ts";
import { addKnowledgeCommands } from "./commands/knowledge.ts";
import { addModelCommands } from "./commands/model.ts";
import { addOperatorCommands } from "./commands/operator.ts";
import { addQuickstart } from "./commands/quickstart.ts";
import { addSeed } from "./commands/seed.ts";
import { addServe } from "./commands/serve.ts";
import { addService } from "./commands/service.ts";
import { addTokenCommands } from "./commands/token.ts";
import { addExamples } from "./examples.ts";
import { EXIT, type ExitCode, explainDefect, explainFailure, type Failure, UsageError } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Runs one command line, without the program's name.
 *
 * @returns the exit code; failures have been printed to stderr.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    const program = createProgram(terminal);
    const page = args[0] === "help" ? findPage(program, args[1]) : undefined;
    if (page !== undefined) terminal.print(helpAsText(page, terminal.colours.out.bold));
    else await program.parseAsync(spellHelpAsOption(args), { from: "user" });
    return EXIT.done;
  } catch (error) {
    return tellFailure(terminal, explainFailure(error));
  }
}

/** @returns the exit code. */
function tellFailure({ say, colours }: Terminal, { exitCode, message }: Failure): ExitCode {
  if (message !== undefined) say(`${colours.err.red("error:")} ${message}`);
  return exitCode;
}

/**
 * The page for `parley help NAME`; undefined if NAME is a command.
 *
 * @throws UsageError if NAME is neither.
 */
function findPage(program: Command, name = ""): HelpTopic | undefined {
  const topic = findHelpTopic(name);
  const commands = ["help", ...program.commands.map((command) => command.name())];
  if (topic !== undefined || name === "" || name.startsWith("-") || commands.includes(name)) return topic;
  const nearest = didYouMean(name, [...HELP_TOPICS.map((known) => known.name), ...commands]);
  throw new UsageError(`there is no command or topic \`${name}\`${nearest || "; `parley help` lists both"}`);
}

/** Rewrites `help bot export` as `bot export --help`: Commander's own help command takes only one name. */
function spellHelpAsOption(args: readonly string[]): string[] {
  const [first, ...names] = args;
  return first === "help" ? [...names, "--help"] : [...args];
}

/** All commands with their flags. */
export function createProgram(outside: Terminal): Command {
  let command = "";
  const terminal: Terminal = { ...outside, actor: () => ({ ...outside.actor(), command }) };
  const program = new Command("parley")
    .description("A governed conversational-agent runtime in one executable.")
    .version(describeVersion(), "-V, --version", "print the version and the commit it was built from")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command|topic]", "show the help of a command or topic")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(withoutTrailingBlanks(text)),
      writeErr: (text) => terminal.say(withoutTrailingBlanks(text)),
    });
  program.hook("preAction", (_, called) => {
    command = nameOf(called);
  });
  addLicenses(program, terminal);
  addExamples(program, "parley quickstart", "parley seed bots/ --issue-tokens", "parley serve");
  program.addHelpText("after", topicList);
  addQuickstart(program, terminal);
  addServe(program, terminal);
  addSeed(program, terminal);
  addBotCommands(program, terminal);
  addTokenCommands(program, terminal);
  addOperatorCommands(program, terminal);
  addConversationCommands(program, terminal);
  addKnowledgeCommands(program, terminal);
  addModelCommands(program, terminal);
  addActionCommands(program, terminal);
  addWebhookCommands(program, terminal);
  addMailCommands(program, terminal);
  addDoctor(program, terminal);
  addService(program, terminal);
  addChat(program, terminal);
  addEval(program, terminal);
  addExplain(program, terminal);
  addAuditCommands(program, terminal);
  addBackup(program, terminal);
  addRestore(program, terminal);
  addCopy(program, terminal);
  addCheckDatabase(program, terminal);
  return program;
}

function topicList(): string {
  const width = Math.max(...HELP_TOPICS.map(({ name }) => name.length));
  const lines = HELP_TOPICS.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`);
  return `\nHelp by topic, as in \`parley help ${HELP_TOPICS[1]!.name}\`:\n${lines.join("\n")}`;
}

/** Name on the command line, without `parley`: `bot delete`. */
function nameOf(command: CommandUnknownOpts): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function withoutTrailingBlanks(text: string): string {
  return text.trimEnd().replace(/[ \t]+$/gm, "");
}

/** Internal: a server runs this command in the background and reads its one JSON document. */
function addCheckDatabase(program: Command, terminal: Terminal): void {
  program
    .command(CHECK_COMMAND, { hidden: true })
    .description("read every page of a database file, and print what was found as JSON")
    .argument("<file>")
    .action((file) => terminal.print(JSON.stringify(quickCheck(file))));
}

/** `parley --licenses`. From the sources only the notice is printed, because no packages are bundled there. */
function addLicenses(program: Command, terminal: Terminal): void {
  program.option("--licenses", "print the licenses of Parley and its packages");
  program.on("option:licenses", () => {
    terminal.print(readFileSync(licenses, "utf8").trimEnd());
    throw new CommanderError(0, "parley.licenses", "");
  });
}

/**
 * Runs one command line and ends the process with its exit code. An uncaught error ends it at once, unless the command itself handles such
 * errors, as `serve` does.
 */
export async function runProcess(args: readonly string[], terminal: Terminal): Promise<never> {
  terminal.onDefect((error) => process.exit(tellFailure(terminal, explainDefect(error))));
  const exitCode = await runCli(args, terminal);
  // A pipe accepts the output only while the process lives.
  await new Promise<void>((written) => process.stdout.end(written));
  process.exit(exitCode);
}
