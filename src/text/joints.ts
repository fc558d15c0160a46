import { normaliseText } from "./normalise.ts";

/**
 * Words that do nothing but join two requests, in some common languages, as `normaliseText` writes them. They only hint where a
 * message may be cut: stretches are scored at every word boundary in any language, and a stretch that ends at a joint has less to
 * show. Words that say more than "and" in any listed language are left out (measured in test/bench/governance).
 */
export const JOINTS: ReadonlySet<string> = new Set(
  [
    "and also plus und sowie außerdem et puis y también además anche inoltre também ook och också og også oraz też",
    "ayrıca и также також και επίσης و ثم וגם और juga cũng 和 그리고",
  ].flatMap((words) => words.split(" ").map(normaliseText)),
);
