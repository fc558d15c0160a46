import type { BotDocument } from "../../domain/bot.ts";
import type { AnsweredTurn } from "../../store/interface/audit.ts";
import { isVisitors, mayBeWrong, type WrongSign, wrongSigns } from "./wrong-signs.ts";

/** A turn with signs that it is wrong. */
export interface LikelyWrong extends AnsweredTurn {
  /** At least one. */
  signs: readonly WrongSign[];
}

/** A bot's turns that are likely wrong: those with a sign from the visitor first, then those with the most signs, newest first. Pure. */
export function findLikelyWrong(
  turns: readonly AnsweredTurn[],
  bot: Pick<BotDocument, "intents">,
): LikelyWrong[] {
  const visitors = ({ signs }: LikelyWrong) => signs.filter(isVisitors).length;
  return turns
    .filter((turn) => mayBeWrong(turn, bot))
    .map((turn) => ({ ...turn, signs: wrongSigns(turn, bot) }))
    .filter(({ signs }) => signs.length > 0)
    .toSorted((a, b) => visitors(b) - visitors(a) || b.signs.length - a.signs.length || b.at - a.at);
}

/** @param documents titles of documents, by id. */
export function signInWords(sign: WrongSign, documents: ReadonlyMap<string, string>): string {
  switch (sign.kind) {
    case "rated_down":
      return `its visitor rated it down${sign.reason === null ? "" : `: “${sign.reason}”`}`;
    case "complained":
      return `its visitor said next: “${sign.said}”`;
    case "reworded":
      return `its visitor said it again: “${sign.said}”`;
    case "left_for_person":
      return "its visitor asked for a person next";
    case "other_nearer":
      return "intent" in sign
        ? `${sign.intent} is nearer in meaning`
        : `a document is nearer in meaning: ${documents.get(sign.document) ?? sign.document}`;
    case "unsure":
      return `it was ${Math.round(100 * sign.chance)} % sure`;
    case "lacks_words":
      return `the answer says nothing of ${sign.words.map((word) => `“${word}”`).join(", ")}`;
    default:
      throw sign satisfies never;
  }
}
