import { JOINTS as KNOWN_JOINTS } from "../../../../src/text/function-words.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";
import { pick, type Random } from "../random.ts";
import { charactersLike } from "./characters.ts";

/** Puts two requests into one message. */
export interface JointKind {
  name: string;
  join: (first: string, second: string, random: Random) => string;
}

const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz");

/** Words between the two items of a list, in every language of the engine's CLDR data, without the joints that the code knows. */
function listJoints(type: "conjunction" | "disjunction"): string[] {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const joints = Intl.ListFormat.supportedLocalesOf(codes).map((language) => {
    const parts = new Intl.ListFormat(language, { type }).formatToParts(["1", "2"]);
    return parts
      .filter((part) => part.type === "literal")
      .map(({ value }) => value)
      .join("");
  });
  const words = new Set(joints.filter((joint) => /\p{L}/u.test(joint)));
  return [...words].filter((joint) => !KNOWN_JOINTS.has(normaliseText(joint).trim()));
}

const withOneOf = (name: string, joints: readonly string[]): JointKind => ({
  name,
  join: (first, second, random) => first + pick(joints, random) + second,
});

const spaced = (characters: readonly string[]): string[] => characters.map((character) => ` ${character} `);
const quotes = charactersLike(/[\p{Quotation_Mark}--["']]/v);
const brackets = charactersLike(/[\p{Ps}--[\(\[\{]]/v).map(
  (open) => [open, String.fromCodePoint(open.codePointAt(0)! + 1)] as const,
);

/** Joints between two requests that the code does not list, made from Unicode's data. */
export const UNSEEN_JOINTS: readonly JointKind[] = [
  withOneOf('"and" in other languages', listJoints("conjunction")),
  withOneOf('"or" in other languages', listJoints("disjunction")),
  withOneOf(
    "sentence ends of other scripts",
    charactersLike(/[\p{Sentence_Terminal}--\p{ASCII}]/v).map((end) => `${end} `),
  ),
  withOneOf(
    "other punctuation of other scripts",
    charactersLike(/[\p{Terminal_Punctuation}--[\p{Sentence_Terminal}\p{ASCII}]]/v).map((sign) => `${sign} `),
  ),
  withOneOf("dashes", spaced(charactersLike(/[\p{Dash}--[\-—]]/v))),
  withOneOf("arrows", spaced(charactersLike(/[\u2190-\u21ff\u27f0-\u27ff\u2900-\u297f]/u))),
  withOneOf("mathematical signs", spaced(charactersLike(/[\p{Sm}--\p{ASCII}]/v))),
  withOneOf("currency signs", spaced(charactersLike(/\p{Sc}/u))),
  withOneOf("box drawings", spaced(charactersLike(/[\u2500-\u25ff]/u))),
  withOneOf("emoji", spaced(charactersLike(/[\p{Emoji_Presentation}--\p{Regional_Indicator}]/v))),
  withOneOf("line and paragraph separators", ["\u0085", "\u2028", "\u2029", "\u000b", "\u000c"]),
  withOneOf(
    "digits",
    ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) => ` ${digit} `),
  ),
  {
    name: "quotation marks around the second",
    join: (first, second, random) => {
      const mark = pick(quotes, random);
      return `${first} ${mark}${second}${mark}`;
    },
  },
  {
    name: "brackets around the second",
    join: (first, second, random) => {
      const [open, close] = pick(brackets, random);
      return `${first} ${open}${second}${close}`;
    },
  },
];
