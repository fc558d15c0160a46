import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import { SentenceVectors } from "../bots/sentence-vectors.ts";
import { trainingWorkOf } from "../bots/training.ts";
import { understandBy } from "../bots/understanding.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { BotId } from "../domain/ids.ts";
import { EncoderThread, TrainingThread, withKeptVectors } from "../intent/classifier.ts";
import { canCrossValidate, crossValidateBot } from "../operate/cross-validate-bot.ts";
import { type DecidedUtterance, decideUtterances } from "../operate/decide-utterances.ts";
import { listNames } from "../operate/doctor/finding.ts";
import { type BotReview, reviewBot } from "../operate/review-bot.ts";
import { HOW_MANY_EXAMPLES, warnOfFewExamples } from "../operate/review.ts";
import type { Grade } from "../operate/verdict.ts";
import { counted, printable } from "./format.ts";
import { isLargeTraining, Progress } from "./progress.ts";
import type { Colours, Terminal } from "./terminal.ts";

/** After this time, bots are reviewed without cross-validation, so that seeding a thousand bots does not take an hour. */
const CROSS_VALIDATION_MS = 60_000;

/** If more bots than this have few examples, one warning names them all. */
const MAX_WARNED_EACH = 5;

type ReviewTerminal = Pick<Terminal, "now" | "say" | "colours" | "isErrTerminal" | "showProgress">;

/** Prints a cross-validation of each bot's examples to stderr, with the points an operator should check. */
export async function reviewBots(
  terminal: ReviewTerminal,
  documents: readonly BotDocument[],
  findKnowledge: (bot: BotId) => Promise<BotKnowledge>,
): Promise<ReadonlyMap<string, BotReview>> {
  const reviews = new Map<string, BotReview>();
  const until = terminal.now() + CROSS_VALIDATION_MS;
  let skipped = 0;
  const small = documents.filter(({ intents = [] }) => warnOfFewExamples(intents).length > 0);
  const isWarnedOnce = small.length > MAX_WARNED_EACH;
  for (const document of documents) {
    const isWorthIt = canCrossValidate(document);
    const hasTime = terminal.now() < until;
    const decided =
      isWorthIt && hasTime ? await crossValidate(terminal, document, await findKnowledge(document.id)) : [];
    if (isWorthIt && !hasTime) skipped++;
    const review = reviewBot(document, decided);
    reviews.set(document.id, review);
    sayReview(terminal, document.id, review, { hasEnoughExamples: isWorthIt, isWarnedOnce });
  }
  if (isWarnedOnce) {
    const bots = `${small.length} bots (${listNames(small.map(({ id }) => id))})`;
    terminal.say(terminal.colours.err.yellow(`warning: few examples in ${bots}; ${HOW_MANY_EXAMPLES}.`));
  }
  if (skipped > 0) {
    const bots = skipped === 1 ? "one bot was" : `${skipped} bots were`;
    terminal.say(`${bots} not cross-validated, to save time; \`parley eval BOT\` does it`);
  }
  return reviews;
}

/** Cross-validates the bot's examples, with progress. */
export async function crossValidate(
  terminal: ReviewTerminal,
  document: BotDocument,
  knowledge: BotKnowledge,
): Promise<DecidedUtterance[]> {
  using progress = new Progress(terminal);
  using thread = new TrainingThread();
  using encoder = new EncoderThread({ work: "background" });
  const kept = withKeptVectors(encoder);
  const deciding = { understand: understandBy(kept), vectors: new SentenceVectors(kept) };
  const isLarge = isLargeTraining(trainingWorkOf(document));
  if (isLarge) {
    progress.announce(
      `cross-validating ${document.id}: this takes a while and can be interrupted without loss`,
    );
  }
  return await crossValidateBot(
    thread,
    { document, knowledge },
    (share) =>
      progress.report(`cross-validating ${document.id}${isLarge ? progress.timeLeft(share) : ""}`, share),
    (bot, utterances) => decideUtterances(bot, utterances, deciding),
  );
}

function sayReview(
  { say, colours }: ReviewTerminal,
  botId: string,
  review: BotReview,
  { hasEnoughExamples, isWarnedOnce }: { hasEnoughExamples: boolean; isWarnedOnce: boolean },
): void {
  const { intents, examples, judged, warnings } = review;
  const size = `${counted(intents, "intent")}, ${counted(examples, "example")}`;
  const isUnjudged = judged === 0 && hasEnoughExamples;
  if (hasEnoughExamples || !isWarnedOnce)
    say(`${botId}: ${size}${isUnjudged ? "" : `. ${describeVerdict(review, colours.err)}`}`);
  for (const { kind, message } of warnings) {
    if (kind === "few_examples" && isWarnedOnce) continue;
    say(colours.err.yellow(`${botId}: warning: ${printable(message)}`));
  }
}

const GRADES: Record<Grade, { word: string; colour: "green" | "yellow" | "red" }> = {
  good: { word: "Good", colour: "green" },
  fair: { word: "Fair", colour: "yellow" },
  weak: { word: "Weak", colour: "red" },
};

/** The result of a cross-validation and the next step, in words. */
export function describeVerdict(review: BotReview, colours: Colours): string {
  const { grade, right, asked, documents, judged, next } = review.verdict;
  if (grade === null) return printable(`Too few examples to judge by. Next: ${next}`);
  const { word, colour } = GRADES[grade];
  const askedBack = asked === 0 ? "" : ` and ${asked} got a clarifying question with the right choice`;
  const fromDocuments =
    documents === 0 ? "" : `, ${documents} ${documents === 1 ? "was" : "were"} answered from documents`;
  const facts = `of ${judged} cross-validated examples ${right} were right${fromDocuments}${askedBack}`;
  return `${colours[colour](word)}: ${printable(`${facts}${describeDenials(review)}. Next: ${next}`)}`;
}

/** Wrong denials; nothing without any. */
function describeDenials({ toDeny, deniedAnswered, toAllow, allowedDenied }: BotReview): string {
  return [
    ...(deniedAnswered > 0 ? [`; ${deniedAnswered} of ${toDeny} to deny were answered`] : []),
    ...(allowedDenied > 0 ? [`; ${allowedDenied} of ${toAllow} to allow were denied`] : []),
  ].join("");
}
