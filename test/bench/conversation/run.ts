/**
 * `npm run bench:conversation`: whole conversations with bots that have documents, over the executable's own turn, each reply graded by
 * the README beside this file. Bots stand in `bots/`, and in the folder that `PARLEY_CONVERSATIONS` names. `--half tuning` or
 * `other` takes one half, `--bot ID` one bot; `--misses` prints each turn that was not served, with its reply and why the audit would list
 * it as likely wrong; `--rewritten` words each turn that depends on another as it would be said alone; `--model` has a stand-in for a model
 * say so, where the bot asks it (`--band`, 0.5: nearly always); `--out FILE` writes the result of each turn, and `--compare FILE` says how far the figures
 * moved since such a file, by bootstrap over conversations within bots. `--fit` prints the constants of the decision, fitted on other bots
 * (PARLEY_INTENT_DATA).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { openBotOrFile } from "../../../src/cli/bot-or-file.ts";
import { processTerminal } from "../../../src/cli/terminal.ts";
import { loadConfig } from "../../../src/config/config.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import type { PastTurn } from "../../../src/domain/conversation.ts";
import { EncoderThread } from "../../../src/intent/classifier.ts";
import type { WrongSign } from "../../../src/operate/likely-wrong.ts";
import { type Rehearsal, withTurn } from "../../../src/operate/rehearsal.ts";
import { openRehearsal } from "../../../src/runtime/open-rehearsal.ts";
import { compareFigure, type GradedBots } from "./compare.ts";
import {
  type Conversation,
  type ConversationBot,
  type ExpectedTurn,
  HALVES,
  readConversationBots,
} from "./conversations.ts";
import { FIGURES, type GradedConversation, percentageOf } from "./figures.ts";
import { fitDecision } from "./fit-decision.ts";
import { type GradedTurn, gradeTurn } from "./grade.ts";
import { type JudgedTurn, signsOf, sumListing } from "./likely-wrong.ts";
import { STAND_IN, StandIn } from "./stand-in.ts";

interface SaidTurn {
  turn: ExpectedTurn;
  said: string;
  graded: GradedTurn;
  reply: JudgedTurn["reply"];
  /** Why the audit would list it as likely wrong; undefined if it would not. */
  signs: readonly WrongSign[] | undefined;
}

interface MeasuredBot extends ConversationBot {
  measured: readonly (readonly SaidTurn[])[];
}

const { values: options } = parseArgs({
  options: {
    half: { type: "string" },
    bot: { type: "string" },
    misses: { type: "boolean" },
    rewritten: { type: "boolean" },
    model: { type: "boolean" },
    band: { type: "string", default: "0.5" },
    compare: { type: "string" },
    out: { type: "string" },
    fit: { type: "boolean" },
  },
});
if (options.fit) {
  await fitDecision();
  process.exit(0);
}

const NOBODY_LEAVES = new AbortController().signal;
using standIn = new StandIn();
const flags = options.model ? { models: standIn.models } : {};
const config = loadConfig({ flags, env: {}, readFile: () => "" });
using encoder = new EncoderThread();
const bots: MeasuredBot[] = [];
const chosen = readConversationBots().filter(
  ({ half, id }) =>
    (options.half === undefined || half === options.half) &&
    (options.bot === undefined || id === options.bot),
);
for (const bot of chosen) bots.push(await measureBot(bot));
printTable();
printKinds();
if (options.model) console.log(`\nthe model was asked about ${standIn.asked} messages`);
printLikelyWrong();
if (options.misses) bots.forEach(printMisses);
if (options.compare !== undefined) printComparison(JSON.parse(readFileSync(options.compare, "utf8")));
if (options.out !== undefined) writeFileSync(options.out, JSON.stringify(gradedBots()));

async function measureBot(bot: ConversationBot): Promise<MeasuredBot> {
  const { document, model, knowledge } = await openBotOrFile(processTerminal(), config, bot.file);
  const asking = options.model ? withStandIn(document) : document;
  await using talk = await openRehearsal(config, asking, model, { encoder, knowledge });
  const measured: SaidTurn[][] = [];
  for (const conversation of bot.conversations) measured.push(await hold(talk, document, conversation));
  return { ...bot, measured };
}

function withStandIn(document: BotDocument): BotDocument {
  const judge = { model: STAND_IN, band: Number(options.band) };
  return { ...document, classifier: { ...document.classifier, judge } };
}

async function hold(talk: Rehearsal, document: BotDocument, conversation: Conversation): Promise<SaidTurn[]> {
  const said: Omit<SaidTurn, "signs">[] = [];
  let turns: PastTurn[] = [];
  for (const turn of conversation.turns) {
    const alone = options.rewritten ? turn.rewritten : undefined;
    const text = alone ?? turn.say;
    const isAlone = alone !== undefined;
    standIn.question = turn.rewritten ?? turn.say;
    const { answer, receipt, past } = await talk.sayAfter(isAlone ? [] : turns, text, {
      models: options.model ? "asked" : "not-asked",
      signal: NOBODY_LEAVES,
    });
    const reply = { answer, receipt };
    said.push({
      turn,
      said: text,
      reply,
      graded: gradeTurn(turn, reply, isAlone ? undefined : said.at(-1)?.reply.answer.response, document),
    });
    turns = withTurn(turns, past);
  }
  const signs = signsOf(said, document);
  return said.map((turn) => ({ ...turn, signs: signs.get(turn) }));
}

function gradedOf({ measured }: MeasuredBot): GradedConversation[] {
  return measured.map((conversation) => conversation.map(({ graded }) => graded));
}

function gradedBots(): GradedBots {
  return Object.fromEntries(bots.map((bot) => [bot.id, gradedOf(bot)]));
}

function printTable(): void {
  printRow("percent", FIGURES.map(({ title }) => title)); // prettier-ignore
  printRow("goal, other half", FIGURES.map(({ goal }) => goal)); // prettier-ignore
  for (const bot of bots) printFigures(`${bot.half} ${bot.id}`, gradedOf(bot));
  for (const half of HALVES) {
    const all = bots.filter((bot) => bot.half === half);
    if (all.length > 1) printFigures(`${half}, all turns`, all.flatMap(gradedOf));
  }
  if (options.half === undefined && bots.length > 1) printFigures("all turns", bots.flatMap(gradedOf));
}

function printFigures(title: string, conversations: readonly GradedConversation[]): void {
  printRow(
    title,
    FIGURES.map((figure) => percentageOf(figure, conversations)?.toFixed(1) ?? "–"),
  );
}

function printKinds(): void {
  const turns = bots.flatMap(gradedOf).flat();
  const kinds = [...new Set(turns.map(({ kind }) => kind))];
  console.log("");
  printRow("by kind", ["turns", "served", "wrong", "useless"]);
  for (const kind of kinds) {
    const own = turns.filter((turn) => turn.kind === kind);
    const counts = (["served", "wrong", "useless"] as const).map(
      (outcome) => own.filter((turn) => turn.outcome === outcome).length,
    );
    printRow(kind, [own.length, ...counts].map(String));
  }
}

/** Prints how many turns listed as likely wrong are wrong, how many wrong turns are listed, and the same for each sign. */
function printLikelyWrong(): void {
  console.log("");
  printRow("likely wrong", ["listed", "wrong", "right, %", "of wrong", "found, %"]);
  const halves = HALVES.map((half) => [half, bots.filter((bot) => bot.half === half)] as const);
  for (const [title, own] of [...halves, ["all", bots] as const]) {
    if (own.length === 0) continue;
    const { listed, wrong, found, signs } = sumListing(own.flatMap(({ measured }) => measured.flat()));
    const percent = (part: number, whole: number) => (whole === 0 ? "–" : ((100 * part) / whole).toFixed(1));
    printRow(title, [
      String(listed),
      String(found),
      percent(found, listed),
      String(wrong),
      percent(found, wrong),
    ]);
    for (const [kind, count] of Object.entries(signs))
      printRow(`  ${kind}`, [String(count.turns), String(count.wrong), percent(count.wrong, count.turns)]);
  }
}

function printRow(title: string, cells: readonly string[]): void {
  console.log(title.padEnd(28) + cells.map((cell) => cell.padStart(9)).join(""));
}

function printMisses({ id, measured }: MeasuredBot): void {
  console.log(`\n${id}`);
  for (const conversation of measured) {
    for (const { turn, said, reply, graded, signs } of conversation) {
      if (graded.outcome === "served") continue;
      const { intentDetected = "-", response, metadata } = reply.answer;
      const wanted = turn.expect.intents ?? Object.keys(turn.expect);
      const listed = signs ? `, listed: ${signs.map(({ kind }) => kind).join(", ")}` : "";
      console.log(
        `  ${graded.outcome.padEnd(8)}${turn.kind.padEnd(9)}${JSON.stringify(said)} (${wanted.join(", ")}${listed}) → ` +
          `${metadata.enforcementReason ?? intentDetected} ${reply.receipt.rule} ${JSON.stringify(response)}\n${" ".repeat(12)}${candidatesOf(reply)}`,
      );
    }
  }
}

function candidatesOf({ receipt: { candidates = [] } }: JudgedTurn["reply"]): string {
  return candidates
    .map(
      ({ intent, passage, chance, reading }) =>
        `${intent ?? passage!.id} ${chance}${reading === "plain" ? "" : "…"}`,
    )
    .join(", ");
}

function printComparison(before: GradedBots): void {
  const after = gradedBots();
  console.log("\nsince then, in points (95 % of draws)");
  for (const figure of FIGURES) {
    const found = compareFigure(figure, before, after);
    if (found === undefined) continue;
    const [points, from, to] = [found.points, found.from, found.to].map((value) => value.toFixed(1));
    console.log(`${figure.title.padEnd(12)}${points!.padStart(7)}   (${from} to ${to})`);
  }
}
