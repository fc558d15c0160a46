import type { FoundWord, WordTable } from "./word-table.ts";

/**
 * Letters of a part, at least; shorter words come out of any word by chance, but for those of `SHORT_PARTS`. Chosen by hand, as are
 * the bounds and lists below.
 */
const SHORTEST_PART = 4;
const SHORT_PARTS: ReadonlySet<string> = new Set(
  (
    "ab an auf aus bei ein her hin los mit nach neu rad raus rein rum um vor weg zu app bus eis gas hof kfz lkw ol pin pkw sim sms tag " +
    "tee tor tur uhr web zug aan af bad bed bij dag fiets huis in les mee na om op rij uit uur"
  ).split(" "),
);
const MOST_PARTS = 4;
/** Letters of an unknown part, and of the known one behind it, at least: fewer are often a prefix, or there by chance. */
const SHORTEST_UNKNOWN_PART = 5;
const SHORTEST_LAST_PART = 5;
/** Letters behind the stem of such a last part, at most. */
const LONGEST_LAST_ENDING = 2;
/** Letters of a word that is taken apart, at most: the search grows with their square. */
const LONGEST_WORD = 40;
/** Letters behind a stem that are an ending whatever they are. */
const LONGEST_ENDING = 3;
/** Longer endings have one of these in them; a stem with other letters behind it is most likely the beginning of another word. */
const DERIVATIONS =
  "achtig atie ation ator atur baar bar chen eerd end eren erin heid heit ierung iert ieren ig ing innen isch keit lein lich lijk ling loos " +
  "los schaft ster test tje ung";
const LONG_ENDING = new RegExp(`^.{0,3}(?:${DERIVATIONS.split(" ").join("|")})(?:e[mnrs]?|s|nen)?$`);
/** Letters from which on a stem is the word's, whatever comes behind it. */
const SURE_STEM = 7;
/** Between the parts of a compound. */
const LINKS: ReadonlySet<string> = new Set(["", "s", "es", "n", "en", "er", "e"]);

/** English for a German or Dutch word: its own, or those of its parts, or that of its stem. */
export function glossCompound(
  word: string,
  table: WordTable,
  found: FoundWord | undefined,
): string | undefined {
  if (found && word.length - found.length <= LONGEST_ENDING) return found.gloss;
  if (word.length > LONGEST_WORD) return undefined;
  const parts = splitCompound(word, table, MOST_PARTS);
  if (parts) return parts.join(" ");
  if (found && (found.length >= SURE_STEM || LONG_ENDING.test(word.slice(found.length)))) return found.gloss;
  return glossLastPart(word, table);
}

/** The last part tells what a thing is; the one in front stays as it is: "Regionalzug" is a regional train. */
function glossLastPart(word: string, table: WordTable): string | undefined {
  for (let cut = SHORTEST_UNKNOWN_PART; cut <= word.length - SHORTEST_LAST_PART; cut++) {
    const found = table.find(word.slice(cut));
    if (
      found &&
      found.length >= SHORTEST_LAST_PART &&
      word.length - cut - found.length <= LONGEST_LAST_ENDING
    ) {
      return `${word.slice(0, cut)} ${found.gloss}`;
    }
  }
  return undefined;
}

/** The glosses of as few parts as make up the word. */
function splitCompound(word: string, table: WordTable, mostParts: number): string[] | undefined {
  let best: string[] | undefined;
  for (let cut = word.length - 2; cut >= 2; cut--) {
    const most = (best?.length ?? mostParts + 1) - 1;
    const first = findPart(word.slice(0, cut), table);
    const rest = first === undefined ? undefined : splitRest(word.slice(cut), table, most - 1);
    if (rest) best = [first!, ...rest];
  }
  return best;
}

function splitRest(word: string, table: WordTable, mostParts: number): string[] | undefined {
  if (mostParts < 1) return undefined;
  const found = isPart(word) ? table.find(word) : undefined;
  if (found && word.length - found.length <= LONGEST_ENDING) return [found.gloss];
  return mostParts > 1 ? splitCompound(word, table, mostParts) : undefined;
}

function findPart(word: string, table: WordTable): string | undefined {
  const found = isPart(word) ? table.find(word) : undefined;
  return found && LINKS.has(word.slice(found.length)) ? found.gloss : undefined;
}

function isPart(word: string): boolean {
  return word.length >= SHORTEST_PART || SHORT_PARTS.has(word);
}
