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
