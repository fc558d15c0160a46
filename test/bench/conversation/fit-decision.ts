/** Fits the decision among intents and passages: src/governance/candidates.ts. */
import { knowledgeInMemory } from "../../../src/bots/bot-knowledge.ts";
import { LoadedBot } from "../../../src/bots/loaded-bot.ts";
import { SentenceVectors } from "../../../src/bots/sentence-vectors.ts";
import { understand } from "../../../src/bots/understanding.ts";
import { evidenceFor, wholeMessage } from "../../../src/chat/turn/weigh-candidates.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import type { BotId, IntentName } from "../../../src/domain/ids.ts";
import {
  type CandidateEvidence,
  type Coefficients,
  type MessageEvidence,
  nothingOf,
  logOddsOf,
  sumOf,
} from "../../../src/governance/candidates.ts";
import type { SaidBefore } from "../../../src/governance/follow-up/follow-up.ts";
import { judgeMessage } from "../../../src/governance/judge-message.ts";
import { openIntentModel, openSentenceModel } from "../../../src/intent/classifier.ts";
import { type Random, seededRandom } from "../../../src/intent/training/random.ts";
import type { Passage } from "../../../src/knowledge/passage.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import { encoderHere, trainHere } from "../../support/encode-here.ts";
import { unseenLines } from "../intent/episodes.ts";
import { pickOne } from "../intent/pick.ts";
import { type ChoiceTrial, chancesOf, fitChoice } from "./fit-choice.ts";

interface IntentsLine {
  bot: string;
  language: string;
  intents: { name: string; label: string; answer: string; examples: string[] }[];
  messages: { text: string; kind: string; intent?: string; intents?: string[] }[];
}

/** A line of `episodes/documents/*.jsonl`; targets are `intent:NAME`, `passage:NUMBER` or null. */
interface DocumentsLine {
  bot: string;
  passages: { title: string; heading: string; text: string }[];
  questions: { text: string; target: string | null }[];
  followups: {
    before: { visitor: string; about: string | null }[];
    say: string;
    target: string | null;
    needs: boolean;
  }[];
}

interface Asked {
  text: string;
  targets: readonly string[];
  before?: { visitor: string; about: string | null };
  weight: number;
}

/** The candidates of a message, by the names of targets, and the right ones; none if nothing answers. */
interface DecisionTrial {
  bot: string;
  asked: Asked;
  names: readonly string[];
  evidence: readonly CandidateEvidence[];
  message: MessageEvidence;
}

/**
 * Weights of messages. Those to intents were written without the passages in mind, some of which answer them as well: they weigh less. Messages that nothing
 * answers weigh more, because they are rarer here than in conversations. Follow-ups and independent messages weigh about the same.
 */
const WEIGHTS = {
  message: 0.4,
  far: 1,
  question: 1,
  unrelated: 0.7,
  leaning: 2,
  standing: 1.5,
  nothing: 1.3,
};
const SEED = 30;
const FOLDS = 7;

const NAMES: readonly (keyof Coefficients)[] = [
  "alone",
  "inContext",
  "passage",
  "grams",
  "coverage",
  "confidence",
  "subject",
  "document",
  "besideContext",
  "leans",
  "nothing",
  "length",
  "nothingBesideContext",
  "inScope",
];
const WORDS = new Set<keyof Coefficients>(["grams", "coverage", "confidence", "inScope"]);
const CONTEXT = new Set<keyof Coefficients>([
  "alone",
  "inContext",
  "subject",
  "document",
  "besideContext",
  "leans",
  "nothingBesideContext",
]);

/** Prints the three tables, and how good each is on bots that it is not fitted to. Takes some ten minutes. */
export async function fitDecision(): Promise<void> {
  const random = seededRandom(SEED);
  const documents = new Map(unseenLines<DocumentsLine>("episodes/documents").map((line) => [line.bot, line]));
  const trials: DecisionTrial[] = [];
  for (const line of unseenLines<IntentsLine>("episodes"))
    trials.push(...(await tryBot(line, documents.get(line.bot)!, random)));
  printTable("WITH_MEANING", trials, NAMES);
  printTable("BY_MEANING_ALONE", trials, NAMES.filter((name) => !WORDS.has(name))); // prettier-ignore
  printTable("BY_WORDS", trials.map(byWords), NAMES.filter((name) => !CONTEXT.has(name))); // prettier-ignore
}

function byWords(trial: DecisionTrial): DecisionTrial {
  const { leans: _, ...message } = trial.message;
  return { ...trial, message, evidence: trial.evidence.map(({ nearness: __, ...rest }) => rest) };
}

async function tryBot(line: IntentsLine, documents: DocumentsLine, random: Random): Promise<DecisionTrial[]> {
  const trained = trainHere(
    line.intents.map(({ name, label, answer, examples }) => ({
      name: name as IntentName,
      label,
      answer,
      examples,
    })),
  );
  const [classifier, sentences] = [openIntentModel(trained.model), openSentenceModel(trained.sentences!)];
  const bot = new LoadedBot(
    { key: 0 as BotKey, id: "fit" as BotId, version: 1, document: documentOf(line) },
    { classifier, findSentences: () => sentences },
    knowledgeInMemory(new Map(documents.passages.map((passage, i) => [i + 1, passageOf(passage)]))),
  );
  const vectors = new SentenceVectors(encoderHere);
  const trials: DecisionTrial[] = [];
  for (const asked of [...messagesOf(line), ...questionsOf(line, documents, random)]) {
    const before = asked.before && saidOf(asked.before, line, documents);
    const judged = judgeMessage(asked.text, classifier, bot.policy);
    const understanding = { classifier, policy: bot.policy, sentences, hasDocuments: true };
    const understood = await understand(understanding, judged, before, (input) => encoderHere.encode(input));
    const held = wholeMessage(understood.judged);
    if (held.meaning === undefined) continue;
    const { evidence, message } = await evidenceFor({ bot, vectors }, held, before);
    const names = evidence.map(({ target }) =>
      target.kind === "intent" ? `intent:${target.intent}` : `passage:${target.passage - 1}`,
    );
    trials.push({ bot: line.bot, asked, names, evidence, message: { ...message, isForeign: false } });
  }
  process.stderr.write(`${line.bot}: ${trials.length}\n`);
  return trials;
}

function documentOf({ language, intents }: IntentsLine): BotDocument {
  return {
    id: "fit",
    name: "Fit",
    allowedDomains: ["*"],
    language,
    intents: intents.map(({ name, label, answer, examples }) => ({
      name,
      label,
      examples,
      responses: [answer],
    })),
  } as unknown as BotDocument;
}

function passageOf({ title, heading, text }: DocumentsLine["passages"][number]): Passage {
  return { documentId: title, title, headingPath: [heading], body: text };
}

function saidOf(
  { visitor, about }: NonNullable<Asked["before"]>,
  { intents }: IntentsLine,
  { passages }: DocumentsLine,
): SaidBefore {
  if (about === null) return { text: visitor };
  const [kind, name] = about.split(":") as [string, string];
  if (kind === "intent") {
    const label = intents.find((intent) => intent.name === name)?.label;
    if (label === undefined) return { text: visitor };
    return { text: visitor, subject: { intent: name as IntentName, name: label, words: [] } };
  }
  const { title, heading } = passages[Number(name)]!;
  return {
    text: visitor,
    subject: { passage: { id: Number(name) + 1, document: title }, name: heading, words: [] },
  };
}

/** Near-domain messages are left out: nobody has said which of them a passage answers. */
function messagesOf({ messages }: IntentsLine): Asked[] {
  return messages
    .filter(({ kind }) => kind !== "near")
    .map(({ text, kind, intent, intents = [intent!] }) => ({
      text,
      targets: kind === "far" ? [] : intents.map((name) => `intent:${name}`),
      weight: kind === "far" ? WEIGHTS.far : WEIGHTS.message,
    }));
}

/** Each question alone, and behind a turn of the same bot that has nothing to do with it; and follow-ups. */
function questionsOf(
  { messages }: IntentsLine,
  { questions, followups }: DocumentsLine,
  random: Random,
): Asked[] {
  const turns = [
    ...questions.flatMap(({ text, target }) => (target === null ? [] : [{ visitor: text, about: target }])),
    ...messages.flatMap(({ text, intent }) =>
      intent === undefined ? [] : [{ visitor: text, about: `intent:${intent}` }],
    ),
  ];
  const asked = questions.flatMap(({ text, target }) => {
    const question = { text, targets: target === null ? [] : [target] };
    const unrelated = pickOne(turns.filter(({ about }) => about !== target), random); // prettier-ignore
    const weight = target === null ? WEIGHTS.nothing : WEIGHTS.question;
    return [
      { ...question, weight },
      { ...question, before: unrelated, weight: weight * WEIGHTS.unrelated },
    ];
  });
  const followed = followups.map(({ before, say, target, needs }) => ({
    text: say,
    targets: target === null ? [] : [target],
    before: before.at(-1)!,
    weight: needs || target === null ? WEIGHTS.leaning : WEIGHTS.standing,
  }));
  return [...asked, ...followed];
}

/** The inputs of each candidate in each reading, and last those of "nothing"; each is multiplied with its coefficient. */
function choiceOf(
  { names, evidence, message, asked }: DecisionTrial,
  fitted: readonly (keyof Coefficients)[],
): ChoiceTrial {
  const none = Object.fromEntries(NAMES.map((name) => [name, 0])) as unknown as Coefficients;
  const units = fitted.map((name): Coefficients => ({ ...none, [name]: 1 }));
  const options: ChoiceTrial["options"] = evidence.flatMap((candidate, i) => {
    const spoken = units.map((unit) => logOddsOf(candidate, message, unit));
    const isRight = asked.targets.includes(names[i]!);
    const alone = { name: names[i]!, isRight, inputs: spoken.map((of) => sumOf(of.alone)) };
    if (spoken[0]!.inContext === undefined) return [alone];
    return [alone, { name: names[i]!, isRight, inputs: spoken.map((of) => sumOf(of.inContext!)) }];
  });
  const nothing = {
    name: "nothing",
    isRight: asked.targets.length === 0,
    inputs: units.map((unit) => nothingOf(message, unit)),
  };
  return { weight: asked.weight, options: [...options, nothing] };
}

function printTable(
  title: string,
  trials: readonly DecisionTrial[],
  fitted: readonly (keyof Coefficients)[],
): void {
  const choices = trials
    .map((trial) => ({ bot: trial.bot, asked: trial.asked, choice: choiceOf(trial, fitted) }))
    .filter(({ choice }) => choice.options.some(({ isRight }) => isRight));
  const coefficients = fitChoice(choices.map(({ choice }) => choice));
  console.log(`\n${title}`);
  for (const name of NAMES)
    console.log(`  ${name}: ${Number((coefficients[fitted.indexOf(name)] ?? 0).toFixed(2))},`);
  const bots = [...new Set(choices.map(({ bot }) => bot))];
  const judged = Array.from({ length: FOLDS }, (_, fold) => {
    const isOut = ({ bot }: { bot: string }) => bots.indexOf(bot) % FOLDS === fold;
    const others = fitChoice(choices.filter((one) => !isOut(one)).map(({ choice }) => choice));
    return choices.filter(isOut).map((one) => ({ ...one, chances: chancesOf(one.choice, others) }));
  }).flat();
  const [answered, unanswered] = [
    judged.filter(({ asked }) => asked.targets.length > 0),
    judged.filter(({ asked }) => asked.targets.length === 0),
  ];
  const right = answered.filter(({ asked, chances }) => asked.targets.includes(bestOf(chances)));
  const taken = unanswered.filter(({ chances }) => chances.get(bestOf(chances))! >= 0.5);
  console.log(
    `right first: ${(right.length / answered.length).toFixed(3)}; at least 0.5 sure where nothing answers: ${(taken.length / unanswered.length).toFixed(3)}`,
  );
}

/** The likeliest candidate other than "nothing". */
function bestOf(chances: ReadonlyMap<string, number>): string {
  const [best] = [...chances].filter(([name]) => name !== "nothing").toSorted(([, a], [, b]) => b - a);
  return best![0];
}
