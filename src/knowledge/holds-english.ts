import { hashWordText } from "../text/word-hash.ts";
import type { SearchIndex } from "./search-index.ts";

/** Words that English passages hold and those of other languages hardly do; one alone is French for tea, or Danish for a duck. */
const TELLING = ["the", "and"].map(hashWordText);
/** Share of passages that hold each, from which on some are English: of those that are, some two thirds do. */
const LEAST_SHARE = 0.1;

/** Whether a good part of the passages is English. Takes a look at two terms. */
export function holdsEnglish(index: Pick<SearchIndex, "size" | "frequencyOf">): boolean {
  return TELLING.every((hash) => index.frequencyOf(hash) > LEAST_SHARE * index.size);
}
