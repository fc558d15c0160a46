import type { Command } from "@commander-js/extra-typings";

import type { BotKnowledge } from "../../bots/bot-knowledge.ts";
import { SentenceVectors } from "../../bots/sentence-vectors.ts";
import { examplesOf } from "../../bots/training.ts";
import { understandBy } from "../../bots/understanding.ts";
import type { Config } from "../../config/config.ts";
import type { BotDocument } from "../../domain/bot.ts";
import { EncoderThread, type TimedTrainingResult, TrainingThread } from "../../intent/classifier.ts";
import { type TestResults, runBotTests } from "../../operate/bot-tests.ts";
import {
  botToDecide,
  type DecidedUtterance,
  decideUtterances,
  type TestUtterance,
} from "../../operate/decide-utterances.ts";
import {
  evaluateKnowledge,
  type KnowledgeEvaluation,
  type LabelledQuestion,
} from "../../operate/evaluate-knowledge.ts";
import {
  parseUtterances,
  QUESTION_LINE,
  UTTERANCE_LINE,
  type UtteranceFile,
} from "../../operate/utterance-file.ts";
import { withoutModels } from "../../operate/without-models.ts";
import { BOT_OR_FILE, type LookedAtBot, readBotOrFile } from "../bot-or-file.ts";
import { openExistingStore } from "../data-folder.ts";
import { assembleReport, describeReport, reportAsJson } from "../eval-report.ts";
import { addExamples } from "../examples.ts";
import { InputError, UsageError } from "../exit-code.ts";
import { formatJson } from "../format.ts";
import { readInput } from "../option-values.ts";
import { passageVectors } from "../passage-vectors.ts";
import { Progress } from "../progress.ts";
import { crossValidate } from "../review-bots.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** Utterances decided between two reports of progress. */
const DECIDED_AT_ONCE = 200;

/** `parley eval` */
export function addEval(program: Command, terminal: Terminal): void {
  const command = program
    .command("eval")
    .description(
      "measure how a bot understands and decides: by its own tests and a cross-validation of its examples, or by a file of utterances.\n\n" +
        `A line of the file is ${UTTERANCE_LINE}, and may have a "decision": ` +
        "allowed, DENY_LIST, NOT_IN_ALLOW_LIST or no_intent_match. null is out of scope. " +
        'Earlier messages of its conversation are in "after": ["…"]. ' +
        `A line ${QUESTION_LINE} measures the bot's documents: null means that none of them answers.`,
    )
    .argument("<bot>", BOT_OR_FILE)
    .option("--utterances <file>", "JSON lines to evaluate, or - for stdin")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley eval acme-support",
    "parley eval bots/acme-support.yaml",
    "parley eval acme-support --utterances messages.jsonl --json",
  );
  command.action(async (name, options) => {
    const config = readConfig(terminal, options);
    if (name === "-" && options.utterances === "-")
      throw new UsageError("stdin can be either the bot or the utterances, not both");
    const bot = await readBotOrFile(terminal, config, name);
    const { document, title, knowledge } = bot;
    const file = await readUtterances(terminal, options.utterances, document);
    const utterances = file?.utterances;
    using encoder = new EncoderThread({ work: "background" });
    const trained = await train(terminal, document);
    const decided = utterances
      ? await decideAll(terminal, { document, trained, encoder }, knowledge, utterances)
      : await crossValidate(terminal, document, knowledge);
    const tests = utterances ? null : await runTests(config, { document, trained, encoder }, knowledge);
    const report = assembleReport({
      document,
      trained,
      decided,
      tests,
      knowledge: await evaluateQuestions(terminal, config, { ...bot, encoder }, file?.questions ?? []),
    });
    terminal.print(
      options.json ? formatJson(reportAsJson(report)) : describeReport(report, title, terminal.colours.out),
    );
    if (tests && tests.failed > 0) {
      throw new InputError(`${tests.failed} of ${tests.failed + tests.passed} tests failed`);
    }
  });
}

/** About 600,000 lines, which take minutes to evaluate. */
const MAX_UTTERANCE_BYTES = 64 * 1024 * 1024;

async function readUtterances(
  terminal: Terminal,
  file: string | undefined,
  { intents = [] }: BotDocument,
): Promise<Omit<UtteranceFile, "faults"> | undefined> {
  if (file === undefined) return undefined;
  const bytes = await readInput(terminal, file, MAX_UTTERANCE_BYTES);
  const text = decodeText(file, bytes);
  const names = intents.map(({ name }) => name);
  const { utterances, questions, faults } = parseUtterances(text, names);
  const source = file === "-" ? "stdin" : file;
  for (const { line, message } of faults) terminal.say(`${source}:${line}: ${message}`);
  if (faults.length > 0) {
    throw new InputError(
      `${faults.length === 1 ? "one mistake" : `${faults.length} mistakes`} in the utterances`,
    );
  }
  if (utterances.length + questions.length === 0)
    throw new InputError(`${source} contains no utterances; a line is ${UTTERANCE_LINE}`);
  return { utterances, questions };
}

async function evaluateQuestions(
  terminal: Terminal,
  config: Config,
  { document, knowledge, version, encoder }: LookedAtBot & { encoder: EncoderThread },
  questions: readonly LabelledQuestion[],
): Promise<KnowledgeEvaluation | null> {
  if (questions.length === 0) return null;
  await using store = version === 0 ? undefined : await openExistingStore(terminal, config);
  using progress = new Progress(terminal);
  const vectors = await passageVectors({ knowledge, encoder, store }, progress);
  return await evaluateKnowledge({ document, knowledge, vectors, encoder }, questions, (share) =>
    progress.report("asking documents", share),
  );
}

function decodeText(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InputError(`${file} is not UTF-8; convert it first`);
  }
}

/** Trains the bot again to measure the time. Training is deterministic, so the model equals the stored one. */
async function train(terminal: Terminal, document: BotDocument): Promise<TimedTrainingResult> {
  using progress = new Progress(terminal);
  using thread = new TrainingThread();
  return await thread.train(examplesOf(document), {
    report: (share) => progress.report(`training ${document.id}`, share),
  });
}

/** A bot with its model and documents. */
interface EvaluatedBot {
  document: BotDocument;
  trained: TimedTrainingResult;
  encoder: EncoderThread;
}

async function decideAll(
  terminal: Terminal,
  { document, trained, encoder }: EvaluatedBot,
  knowledge: BotKnowledge,
  utterances: readonly TestUtterance[],
): Promise<DecidedUtterance[]> {
  using progress = new Progress(terminal);
  const bot = botToDecide(document, trained, knowledge);
  const deciding = { understand: understandBy(encoder), vectors: new SentenceVectors(encoder) };
  const decided: DecidedUtterance[] = [];
  while (decided.length < utterances.length) {
    progress.report(`evaluating ${document.id}`, decided.length / utterances.length);
    const next = utterances.slice(decided.length, decided.length + DECIDED_AT_ONCE);
    decided.push(...(await decideUtterances(bot, next, deciding)));
  }
  return decided;
}

async function runTests(
  config: Config,
  { document, trained, encoder }: EvaluatedBot,
  knowledge: BotKnowledge,
): Promise<TestResults> {
  const { openRehearsal } = await import("../../runtime/open-rehearsal.ts");
  await using rehearsal = await openRehearsal(config, withoutModels(document), trained, {
    knowledge,
    encoder,
  });
  return await runBotTests(document, rehearsal);
}
