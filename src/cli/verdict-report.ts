import type { BotReview } from "../operate/review-bot.ts";
import type { Grade } from "../operate/verdict.ts";
import { printable } from "./format.ts";
import type { Colours } from "./terminal.ts";

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
  const askedBack =
    asked === 0 ? "" : ` and ${asked} ${asked === 1 ? "was" : "were"} asked back with the right choice`;
  const fromDocuments =
    documents === 0 ? "" : `, ${documents} ${documents === 1 ? "was" : "were"} answered from documents`;
  const facts = `of ${judged} examples, each held back once, ${right} came out right${fromDocuments}${askedBack}`;
  return `${colours[colour](word)}: ${printable(`${facts}${describeDenials(review)}. Next: ${next}`)}`;
}

/** Wrong denials; nothing without any. */
function describeDenials({ toDeny, deniedAnswered, toAllow, allowedDenied }: BotReview): string {
  return [
    ...(deniedAnswered > 0 ? [`; ${deniedAnswered} of ${toDeny} to deny got an answer`] : []),
    ...(allowedDenied > 0 ? [`; ${allowedDenied} of ${toAllow} to allow got denied`] : []),
  ].join("");
}
