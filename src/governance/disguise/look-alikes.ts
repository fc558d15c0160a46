import { LATIN_TWINS, LATIN_VARIANTS, TWINS_AMONG_LATIN } from "./look-alike-letters.ts";

/** Maps each look-alike to its letter. */
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

/** The look-alikes of one alphabet by Latin letter; the first one counts, and `anyway` has precedence. */
function twinsIn(alphabet: RegExp, anyway: Readonly<Record<string, string>>): LettersByLookAlike {
  const twins = [...latinByAnyTwin].filter(([twin]) => alphabet.test(twin));
  const byLatin = twins.toReversed().map(([twin, latin]): [string, string] => [latin, twin]);
  return new Map([...byLatin, ...Object.entries(anyway)]);
}

/**
 * Letters of Russian and related languages. Latin u for и, and digits for о and з, are in common use although Unicode does not list them.
 */
const cyrillicByTwin = twinsIn(/[\u0400-\u045f]/u, { u: "и", 0: "о", 3: "з" });
/** Latin u resembles υ and μ; in practice u stands for μ and y for υ. */
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

/** The script of most letters in a text. */
export function mainScriptOf(text: string): Script {
  const counts: Record<Script, number> = { latin: 0, cyrillic: 0, greek: 0, other: 0 };
  for (const letter of text.match(/\p{L}/gu) ?? []) counts[scriptOf(letter)]++;
  const scripts: Script[] = ["latin", "cyrillic", "greek", "other"];
  return scripts.reduce((main, script) => (counts[script] > counts[main] ? script : main));
}

const hasLatin = (word: string): boolean => /\p{Script=Latin}/u.test(word);
const isLatin = (word: string): boolean => !/[^\p{Script=Latin}\P{L}]/u.test(word);

/** A word with letters of several scripts, converted to one: preferably that of the surrounding text. */
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
 * Replaces look-alike letters. A word without Latin letters stays as it is, unless the surrounding text is Latin and every letter has a
 * Latin look-alike that is rare in its own language, so that Russian and Greek messages are never changed.
 */
export function withoutLookAlikes(word: string, around: Script): string {
  const plain = replaced(word, latinByVariant);
  // In a word of Latin letters only digits and foreign signs are left to replace.
  if (isLatin(plain)) return hasLatin(plain) ? replaced(plain, latinByAnyTwin) : plain;
  if (hasLatin(plain)) return inOneScript(plain, around);
  const latin = replaced(plain, latinByTwin);
  return isLatin(latin) && (around === "latin" || around === "other") ? latin : plain;
}
