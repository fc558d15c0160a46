import { seededRandom } from "../../../src/intent/training/random.ts";
import { pickOne } from "../intent/pick.ts";
import type { KnownPassage } from "./data-sets.ts";

/** Bytes of a passage: a paragraph of an ordinary page. */
const PASSAGE_BYTES = 750;
/** Share of invented words, so that the vocabulary grows as in real collections. */
const MADE_UP = 0.12;
const MADE_UP_WORDS = 400_000;
const TITLE_WORDS = 4;
const SYLLABLES = "ka lo mi ten ra vis do pel gu nar sho bri fen tal cu mor".split(" ");

/** Passages of sampled sentences, in which some words are replaced by made-up ones that follow Zipf's law. */
export function* syntheticPassages(
  sources: readonly KnownPassage[],
  count: number,
): Generator<{ id: number; title: string; body: string }> {
  const random = seededRandom(7);
  const sentences = sources.flatMap(({ passage }) => passage.body.split(/(?<=\.) /));
  const madeUp = () => wordOf(Math.floor(MADE_UP_WORDS ** random()));
  const reworded = (text: string) =>
    text.replaceAll(/\p{L}{4,}/gu, (word) => (random() < MADE_UP ? madeUp() : word));
  for (let id = 1; id <= count; id++) {
    let body = "";
    while (body.length < PASSAGE_BYTES) body += `${reworded(pickOne(sentences, random))} `;
    const words = body.split(" ");
    const start = Math.floor(random() * (words.length - TITLE_WORDS));
    yield {
      id,
      title: words.slice(start, start + TITLE_WORDS).join(" "),
      body: body.slice(0, PASSAGE_BYTES),
    };
  }
}

/** The word of a rank: the frequent ones are short. */
function wordOf(rank: number): string {
  let word = "";
  for (let rest = rank + 3; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length]!;
  }
  return word;
}
