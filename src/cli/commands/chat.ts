import type { Command } from "@commander-js/extra-typings";

import { type BotDocument, withBotName } from "../../domain/bot.ts";
import type { ChatResponse, NextStep } from "../../domain/chat.ts";
import { defaultWelcome, wordedBot } from "../../texts/bot-wording.ts";
import { BOT_OR_FILE, openBotOrFile } from "../bot-or-file.ts";
import { addExamples } from "../examples.ts";
import { UsageError } from "../exit-code.ts";
import { formatJson, printable, sourceInWords } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley chat` */
export function addChat(program: Command, terminal: Terminal): void {
  const command = program
    .command("chat")
    .description(
      "chat with a bot in the terminal; nothing is stored or counted, and a disabled bot answers, too; type a number to choose a button",
    )
    .argument("<bot>", BOT_OR_FILE)
    .option("--call-endpoints", "really call the endpoints of actions, instead of showing the requests")
    .option("--json", "at the end of input, print the conversation as JSON");
  addExamples(
    addSettings(command, ["data", "store", "endpoints"]),
    "parley chat acme-support",
    "parley chat acme-support.yaml",
    'echo "Where is my order?" | parley chat acme-support',
    "parley chat acme-support --json < messages.txt",
  );
  command.action(async (name, options) => {
    const config = readConfig(terminal, options);
    if (name === "-") throw new UsageError("stdin contains your messages, so give the bot by id or file");
    const { document, model, knowledge } = await openBotOrFile(terminal, config, name);
    const { openRehearsal } = await import("../../runtime/open-rehearsal.ts");
    await using rehearsal = await openRehearsal(config, document, model, { knowledge, env: terminal.env });
    if (terminal.isInteractive) terminal.say(welcomeOf(document));
    if (options.callEndpoints)
      terminal.say("Endpoints are called: what you ask for, or confirm, is really done.");
    const turns: ({ input: string } & ChatResponse)[] = [];
    for await (const line of terminal.inputLines("> ")) {
      const typed = line.trim();
      if (typed === "") continue;
      const chosen = options.json ? undefined : stepsOf(turns.at(-1))[Number(typed) - 1];
      const input = chosen?.input ?? typed;
      if (chosen) terminal.say(terminal.colours.err.dim(printable(`  ${chosen.label}`)));
      const { answer } = await rehearsal.say(input, options.callEndpoints ? "made" : "dry");
      turns.push({ input, ...answer });
      if (!options.json) showAnswer(answer, terminal);
    }
    if (terminal.isInteractive) terminal.say("");
    if (options.json) terminal.print(formatJson({ botId: document.id, turns }));
  });
}

function welcomeOf(bot: BotDocument): string {
  const { name, welcomeMessage = defaultWelcome(bot) } = wordedBot(bot);
  return `${printable(withBotName(welcomeMessage, name))}\n(Ctrl+D ends the conversation)\n`;
}

/** The buttons below an answer, in order; typing a button's number sends its text. */
function stepsOf(turn: ChatResponse | undefined): readonly NextStep[] {
  const { suggestions = [], next = [] } = turn?.metadata ?? {};
  return [...suggestions.map(({ label }) => ({ label, input: label })), ...next];
}

/** Prints the answer to stdout and the decision to stderr, so that a pipe gets answers only. */
function showAnswer(answer: ChatResponse, terminal: Terminal): void {
  const { response, intentDetected, metadata } = answer;
  const say = (text: string) => terminal.say(terminal.colours.err.dim(`  ${printable(text)}`));
  terminal.print(printable(response));
  const facts = [
    intentDetected ?? "no intent",
    metadata.capabilityAllowed ? "allowed" : "restricted",
    metadata.enforcementReason,
    metadata.schemaEnforced && !metadata.schemaFallbackUsed ? "schema satisfied" : undefined,
    metadata.schemaValidationError,
    metadata.handoff?.state === "offered" ? "a person is offered" : undefined,
  ];
  say(facts.filter((fact) => fact !== undefined).join(" · "));
  for (const source of metadata.sources ?? []) say(`from ${sourceInWords(source)}`);
  for (const [at, { label }] of stepsOf(answer).entries()) say(`${at + 1}: ${label}`);
}
