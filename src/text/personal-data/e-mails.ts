import type { Span } from "./span.ts";

/** RFC 5321 allows 64 octets before the sign and 255 behind it. */
const LONGEST_LOCAL_PART = 64;
const LONGEST_DOMAIN = 255;
const LOCAL_PART = /[\p{L}\p{N}._%+'&/=~-]*[\p{L}\p{N}_+%-]$/u;
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,24}(?![\p{L}\p{N}])/u;

/** How the sign is said or written around, in seven languages. */
const AT = String.raw`\s?[[({<]\s?(?:at|ät|arroba|arobase|chiocciola|apenstaartje|@)\s?[\])}>]\s?`;
const SPOKEN_AT = String.raw`\s(?:at|ät|arroba|arobase|chiocciola|apenstaartje|klammeraffe)\s`;
const DOT = String.raw`\s?(?:\.|[[({<]\s?(?:dot|punkt|punto|point|punt|ponto|\.)\s?[\])}>])\s?`;
const SPOKEN_DOT = String.raw`\s(?:dot|punkt|punto|point|punt|ponto)\s`;
const LABEL = String.raw`[\p{L}\p{N}-]{1,63}`;
const WRITTEN_AROUND = new RegExp(
  `(?<![\\p{L}\\p{N}])[\\p{L}\\p{N}._+-]{1,64}(?:${AT}${LABEL}(?:(?:${DOT}|${SPOKEN_DOT})${LABEL}){0,2}(?:${DOT}|${SPOKEN_DOT})\\p{L}{2,24}` +
    `|${SPOKEN_AT}${LABEL}(?:${SPOKEN_DOT}${LABEL}){0,2}${SPOKEN_DOT}\\p{L}{2,24})(?![\\p{L}\\p{N}])`,
  "giu",
);
/** What the pattern above cannot do without; most texts have none, and are not searched. */
const MAY_BE_WRITTEN_AROUND =
  /[[({<]\s?(?:at|ät|arr|aro|chi|ape|@)|\s(?:dot|punkt|punto|point|punt|ponto)\s/i;

/** E-mail addresses, also with spaces around the sign and written around it ("ann (at) example dot org"). */
export function findEmails(text: string): Span[] {
  const plain = text.includes("@") ? emailsAtSigns(text) : [];
  if (!MAY_BE_WRITTEN_AROUND.test(text)) return plain;
  const around = [...text.matchAll(WRITTEN_AROUND)];
  return [...plain, ...around.map(({ 0: match, index }) => ({ start: index, end: index + match.length }))];
}

function emailsAtSigns(text: string): Span[] {
  return [...text.matchAll(/@/g)].flatMap(({ index }) => emailAt(text, index) ?? []);
}

/** The address around the sign at `at`. */
function emailAt(text: string, at: number): Span | undefined {
  const before = text.slice(Math.max(0, at - LONGEST_LOCAL_PART - 1), at);
  const after = text.slice(at + 1, at + 2 + LONGEST_DOMAIN);
  const local = LOCAL_PART.exec(before.replace(/\s$/u, ""))?.[0];
  const isSpaced = /^\s/u.test(after);
  const domain = DOMAIN.exec(isSpaced ? after.slice(1) : after)?.[0];
  if (local === undefined || domain === undefined) return undefined;
  const space = /\s$/u.test(before) ? 1 : 0;
  return { start: at - space - local.length, end: at + 1 + (isSpaced ? 1 : 0) + domain.length };
}
