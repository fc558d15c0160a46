import { LATIN_TWINS, LATIN_VARIANTS, TWINS_AMONG_LATIN } from "./look-alike-letters.ts";

/** Which letter each look-alike stands for. */
type LettersByLookAlike = ReadonlyMap<string, string>;

function invert(tables: readonly Readonly<Record<string, string>>[]): LettersByLookAlike {
  return new Map(
    tables
      .flatMap((table) => Object.entries(table))
      .flatMap(([letter, lookAlikes]) =>
        Array.from(lookAlikes, (lookAlike): [string, string] => [lookAlike, letter]),
      ),
  );
}

const latinByVariant = invert([LATIN_VARIANTS]);
const latinByTwin = invert([LATIN_TWINS]);
const latinByAnyTwin = invert([LATIN_TWINS, TWINS_AMONG_LATIN]);

/** The twins of one alphabet by the Latin letters that look like them; the first twin counts, and `anyway` before all. */
function twinsIn(alphabet: RegExp, anyway: Readonly<Record<string, string>>): LettersByLookAlike {
  const twins = [...latinByAnyTwin].filter(([twin]) => alphabet.test(twin));
  const byLatin = twins.toReversed().map(([twin, latin]): [string, string] => [latin, twin]);
  return new Map([...byLatin, ...Object.entries(anyway)]);
}

/** The letters of Russian and its neighbours. Latin u for и, and digits for о and з, are no look-alikes to Unicode, but in use. */
const cyrillicByTwin = twinsIn(/[\u0400-\u045f]/u, { u: "и", 0: "о", 3: "з" });
/** Latin u looks like υ and like μ; people write μ with it, and υ with y. */
const greekByTwin = twinsIn(/[\u0391-\u03c9]/u, { u: "μ", y: "υ" });

type Script = "latin" | "cyrillic" | "greek" | "other";

function scriptOf(letter: string): Script {
  if (/\p{Script=Latin}/u.test(letter)) return "latin";
  if (/\p{Script=Cyrillic}/u.test(letter)) return "cyrillic";
  return /\p{Script=Greek}/u.test(letter) ? "greek" : "other";
}

function replaced(word: string, letters: LettersByLookAlike): string {
  return Array.from(word, (letter) => letters.get(letter) ?? letter).join("");
}

/** The script that most letters of a text belong to. */
export function mainScriptOf(text: string): Script {
  const counts: Record<Script, number> = { latin: 0, cyrillic: 0, greek: 0, other: 0 };
  for (const letter of text.match(/\p{L}/gu) ?? []) counts[scriptOf(letter)]++;
  const scripts: Script[] = ["latin", "cyrillic", "greek", "other"];
  return scripts.reduce((main, script) => (counts[script] > counts[main] ? script : main));
}

const hasLatin = (word: string): boolean => /\p{Script=Latin}/u.test(word);
const isLatin = (word: string): boolean => !/[^\p{Script=Latin}\P{L}]/u.test(word);

/** A word whose letters come from several scripts, in one: that of the text around it where it can be. */
function inOneScript(word: string, around: Script): string {
  const cyrillic = replaced(word, cyrillicByTwin);
  if (around === "cyrillic" && !hasLatin(cyrillic)) return cyrillic;
  const greek = replaced(word, greekByTwin);
  if (around === "greek" && !hasLatin(greek)) return greek;
  const latin = replaced(word, latinByAnyTwin);
  if (isLatin(latin)) return latin;
  if (!hasLatin(cyrillic)) return cyrillic;
  return hasLatin(greek) ? replaced(word, latinByTwin) : greek;
}

/**
 * A word with look-alike letters replaced. A word without Latin letters stays as it is, unless the text around is Latin and every
 * letter has a Latin twin that honest words of its language seldom consist of: a Russian or Greek message is never respelt.
 */
export function withoutLookAlikes(word: string, around: Script): string {
  const plain = replaced(word, latinByVariant);
  // Among Latin letters alone, only digits and signs of other scripts are left to read.
  if (isLatin(plain)) return hasLatin(plain) ? replaced(plain, latinByAnyTwin) : plain;
  if (hasLatin(plain)) return inOneScript(plain, around);
  const latin = replaced(plain, latinByTwin);
  return isLatin(latin) && (around === "latin" || around === "other") ? latin : plain;
}
