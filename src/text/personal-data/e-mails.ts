import type { Span } from "../../domain/personal-data.ts";

/** RFC 5321 allows 64 octets before the at sign and 255 after it. */
const MAX_LOCAL_PART_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 255;
const LOCAL_PART = /[\p{L}\p{N}._%+'&/=~-]*[\p{L}\p{N}_+%-]$/u;
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,24}(?![\p{L}\p{N}])/u;

/** The words for the at sign and dot, by language: "at this point" is not an address. */
const SPOKEN = [
  ["at", "dot"],
  ["(?:ät|at|klammeraffe)", "punkt"],
  ["arroba", "(?:punto|ponto)"],
  ["(?:arobase|arrobase)", "point"],
  ["(?:chiocciola|at)", "punto"],
  ["(?:apenstaartje|at)", "punt"],
] as const;
const ANY_AT = "(?:at|ät|arroba|arobase|arrobase|chiocciola|apenstaartje|@)";
const ANY_DOT = "(?:dot|punkt|punto|ponto|point|punt)";
const LABEL = String.raw`[\p{L}\p{N}-]{1,63}`;
const TOP_LEVEL = String.raw`\p{L}{2,24}`;
/** Brackets around the at sign are unambiguous, so any dot is accepted. */
const BRACKETED_DOT = String.raw`(?:\s?\.\s?|\s${ANY_DOT}\s|\s?[[({<]\s?(?:${ANY_DOT}|\.)\s?[\])}>]\s?)`;
const BRACKETED = String.raw`\s?[[({<]\s?${ANY_AT}\s?[\])}>]\s?(?:${LABEL}${BRACKETED_DOT}){1,3}${TOP_LEVEL}`;
const SAID = SPOKEN.map(([at, dot]) => String.raw`\s${at}\s(?:${LABEL}\s${dot}\s){1,3}${TOP_LEVEL}`);
const WRITTEN_AROUND = new RegExp(
  String.raw`(?<![\p{L}\p{N}])[\p{L}\p{N}._+-]{1,64}(?:${[BRACKETED, ...SAID].join("|")})(?![\p{L}\p{N}])`,
  "giu",
);
/** A quick test for the pattern above; most texts fail it. */
const MAY_BE_WRITTEN_AROUND =
  /[[({<]\s?(?:at|ät|arr|aro|chi|ape|@)|\s(?:dot|punkt|punto|point|punt|ponto)\s/i;

/** E-mail addresses, including those with spaces or words for the signs ("ann (at) example dot org"). */
export function findEmails(text: string): Span[] {
  const plain = text.includes("@") ? emailsAtSigns(text) : [];
  if (!MAY_BE_WRITTEN_AROUND.test(text)) return plain;
  const around = [...text.matchAll(WRITTEN_AROUND)];
  return [...plain, ...around.map(({ 0: match, index }) => ({ start: index, end: index + match.length }))];
}

function emailsAtSigns(text: string): Span[] {
  return [...text.matchAll(/@/g)].flatMap(({ index }) => emailAt(text, index) ?? []);
}

/** The address around the at sign at `at`. */
function emailAt(text: string, at: number): Span | undefined {
  const before = text.slice(Math.max(0, at - MAX_LOCAL_PART_LENGTH - 1), at);
  const after = text.slice(at + 1, at + 2 + MAX_DOMAIN_LENGTH);
  const local = LOCAL_PART.exec(before.replace(/\s$/u, ""))?.[0];
  const isSpaced = /^\s/u.test(after);
  const domain = DOMAIN.exec(isSpaced ? after.slice(1) : after)?.[0];
  if (local === undefined || domain === undefined) return undefined;
  const space = /\s$/u.test(before) ? 1 : 0;
  return { start: at - space - local.length, end: at + 1 + (isSpaced ? 1 : 0) + domain.length };
}
