import { NO_KNOWLEDGE } from "../../../src/bots/bot-knowledge.ts";
import { SentenceVectors } from "../../../src/bots/sentence-vectors.ts";
import { understandBy } from "../../../src/bots/understanding.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import { EncoderThread, TrainingThread } from "../../../src/intent/classifier.ts";
import { crossValidateBot } from "../../../src/operate/cross-validate-bot.ts";
import { decideUtterances } from "../../../src/operate/decide-utterances.ts";
import { reviewBot } from "../../../src/operate/review-bot.ts";
import { FIGURES, shareOf } from "./figures.ts";
import type { MeasuredMessage } from "./measure.ts";

interface ReviewedBot {
  id: string;
  document: BotDocument;
  measured: readonly MeasuredMessage[];
}

const SERVED = FIGURES.find(({ title }) => title === "served")!;

/** Prints, for each bot, the served share of held-back examples and of visitors' messages, and the grade. */
export async function printReviews(bots: readonly ReviewedBot[]): Promise<void> {
  console.log(`\n${"served, %".padEnd(28)}held-back examples   visitors' messages   grade`);
  const shares: [heldBack: number, visitors: number][] = [];
  for (const { id, document, measured } of bots) {
    const { right, asked, documents, judged, grade } = await judge(document);
    const heldBack = (right + asked + documents) / judged;
    const visitors = shareOf(SERVED, measured) ?? Number.NaN;
    shares.push([heldBack, visitors]);
    console.log(
      `${id.padEnd(28)}${percent(heldBack).padStart(18)}${percent(visitors).padStart(21)}   ${grade}`,
    );
  }
  const mean = (place: 0 | 1) => shares.reduce((sum, share) => sum + share[place], 0) / shares.length;
  console.log(`${"mean".padEnd(28)}${percent(mean(0)).padStart(18)}${percent(mean(1)).padStart(21)}`);
}

async function judge(document: BotDocument) {
  using thread = new TrainingThread();
  using encoder = new EncoderThread({ work: "background" });
  const deciding = { understand: understandBy(encoder), vectors: new SentenceVectors(encoder) };
  const decided = await crossValidateBot(
    thread,
    { document, knowledge: NO_KNOWLEDGE },
    () => {},
    (bot, utterances) => decideUtterances(bot, utterances, deciding),
  );
  return reviewBot(document, decided).verdict;
}

function percent(share: number): string {
  return (100 * share).toFixed(0);
}
