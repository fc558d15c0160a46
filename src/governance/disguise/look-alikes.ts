/**
 * Letters that look like others. The tables list what is used to pass for plain letters, by script, and leave the rest
 * to Unicode's compatibility forms (fullwidth, mathematical, circled), which NFKC undoes.
 */

/** Latin letter ← letters of other scripts that look the same. */
const LATIN_TWINS: Readonly<Record<string, string>> = {
  a: "аα",
  b: "ьЬᏏβ",
  c: "сϲ",
  d: "ԁժ",
  e: "еєҽεҿ",
  f: "ϝ",
  g: "ԍց",
  h: "һհ",
  i: "іι",
  j: "јϳ",
  k: "кκ",
  l: "ӏ",
  m: "м",
  n: "пηռո",
  o: "оοօסဝ๐ഠ",
  p: "рρ",
  q: "ԛգ",
  r: "г",
  s: "ѕ",
  t: "тτ",
  u: "υսц",
  v: "ѵν",
  w: "ѡԝωա",
  x: "хχ",
  y: "уүγყ",
  A: "АΑᎪ",
  B: "ВΒᏴ",
  C: "СᏟϹ",
  D: "Ꭰ",
  E: "ЕΕᎬ",
  G: "Ԍ",
  H: "НΗᎻ",
  I: "ІΙӀ",
  J: "ЈᎫ",
  K: "КΚᏦ",
  L: "Ꮮ",
  M: "МΜᎷ",
  N: "Ν",
  O: "ОΟՕ",
  P: "РΡᏢ",
  Q: "Ԛ",
  R: "Ꭱ",
  S: "ЅᏚՏ",
  T: "ТΤᎢ",
  U: "ՍЦ",
  V: "ѴᏙ",
  W: "ԜᎳ",
  X: "ХΧ",
  Y: "УҮΥ",
  Z: "ΖᏃ",
};

/** Latin letter ← letters of the Latin script, symbols and signs that stand for it at a glance. */
const LATIN_VARIANTS: Readonly<Record<string, string>> = {
  a: "ɑɐᴀ🅰🄰🅐🇦",
  b: "ɓʙƄ🅱🄱🅑🇧",
  c: "ɔᴄ🅲🄲🅒🇨",
  d: "đɖɗᴅ🅳🄳🅓🇩",
  e: "ǝəɛᴇ🅴🄴🅔🇪",
  f: "ꜰƒ🅵🄵🅕🇫",
  g: "ɡɢ🅶🄶🅖🇬",
  h: "ħɦʜɥ🅷🄷🅗🇭",
  i: "ıɨɪᴉɩ🅸🄸🅘🇮",
  j: "ʝɉᴊ🅹🄹🅙🇯",
  k: "ƙᴋʞ🅺🄺🅚🇰",
  l: "łɭʟƚ🅻🄻🅛🇱",
  m: "ɱᴍɯ🅼🄼🅜🇲",
  n: "ɲɳɴŋ🅽🄽🅝🇳",
  o: "øɵᴏ🅾🄾🅞🇴",
  p: "ƥᴘ🅿🄿🅟🇵",
  q: "ʠǫ🆀🅀🅠🇶",
  r: "ɼɽʀɹ🆁🅁🅡🇷",
  s: "ʂꜱ🆂🅂🅢🇸",
  t: "ŧʈᴛʇ🆃🅃🅣🇹",
  u: "ʉᴜ🆄🅄🅤🇺",
  v: "ʋᴠʌ🆅🅅🅥🇻",
  w: "ʍᴡ🆆🅆🅦🇼",
  x: "🆇🅇🅧🇽",
  y: "ʏʎ🆈🅈🅨🇾",
  z: "ƶᴢʐ🆉🅉🅩🇿",
};

/** Cyrillic letter ← Latin ones that look the same, for words that are Cyrillic otherwise. */
const CYRILLIC_TWINS: Readonly<Record<string, string>> = {
  а: "a",
  в: "B",
  е: "e",
  и: "u",
  к: "kK",
  м: "mM",
  н: "H",
  о: "o0",
  р: "p",
  с: "c",
  т: "tT",
  у: "y",
  х: "x",
  і: "i",
  з: "3",
  ь: "b",
  А: "A",
  Е: "E",
  О: "O",
  Р: "P",
  С: "C",
  У: "Y",
  Х: "X",
};

/** Greek letter ← Latin ones that look the same, for words that are Greek otherwise. */
const GREEK_TWINS: Readonly<Record<string, string>> = {
  α: "a",
  ε: "E",
  η: "n",
  ι: "i",
  κ: "kK",
  μ: "uM",
  ν: "v",
  ο: "o",
  ρ: "p",
  τ: "tT",
  υ: "y",
  χ: "x",
  Α: "A",
  Β: "B",
  Η: "H",
  Ι: "I",
  Ν: "N",
  Ο: "O",
  Ρ: "P",
  Υ: "Y",
  Χ: "X",
  Ζ: "Z",
};

function inverted(twins: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(twins).flatMap(([plain, others]) =>
    Array.from(others, (other): [string, string] => [other, plain]),
  );
}

const latinByVariant = new Map(inverted(LATIN_VARIANTS));
const latinByTwin = new Map(inverted(LATIN_TWINS));
const cyrillicByTwin = new Map(inverted(CYRILLIC_TWINS));
const greekByTwin = new Map(inverted(GREEK_TWINS));

type Script = "latin" | "cyrillic" | "greek" | "other";

function scriptOf(letter: string): Script {
  if (/\p{Script=Latin}/u.test(letter)) return "latin";
  if (/\p{Script=Cyrillic}/u.test(letter)) return "cyrillic";
  return /\p{Script=Greek}/u.test(letter) ? "greek" : "other";
}

function replaced(word: string, map: ReadonlyMap<string, string>): string {
  return Array.from(word, (letter) => map.get(letter) ?? letter).join("");
}

/** The script that most letters of a text belong to. */
export function mainScriptOf(text: string): Script {
  const counts: Record<Script, number> = { latin: 0, cyrillic: 0, greek: 0, other: 0 };
  for (const letter of text.match(/\p{L}/gu) ?? []) counts[scriptOf(letter)]++;
  const scripts: Script[] = ["latin", "cyrillic", "greek", "other"];
  return scripts.reduce((main, script) => (counts[script] > counts[main] ? script : main));
}

const isLatin = (word: string): boolean => !/[^\p{Script=Latin}\P{L}]/u.test(word);

/** A word whose letters come from several scripts, in one: that of the text around it where it can be. */
function inOneScript(word: string, around: Script): string {
  const cyrillic = replaced(word, cyrillicByTwin);
  if (around === "cyrillic" && !/\p{Script=Latin}/u.test(cyrillic)) return cyrillic;
  const greek = replaced(word, greekByTwin);
  if (around === "greek" && !/\p{Script=Latin}/u.test(greek)) return greek;
  const latin = replaced(word, latinByTwin);
  if (isLatin(latin)) return latin;
  if (!/\p{Script=Latin}/u.test(cyrillic)) return cyrillic;
  return /\p{Script=Latin}/u.test(greek) ? latin : greek;
}

/**
 * A word with look-alike letters replaced. Words of one script stay as they are, unless every letter has a Latin
 * look-alike and the text around is Latin: a Russian or Greek message is never respelt.
 */
export function withoutLookAlikes(word: string, around: Script): string {
  const plain = replaced(word, latinByVariant);
  if (isLatin(plain)) return plain;
  if (/\p{Script=Latin}/u.test(plain)) return inOneScript(plain, around);
  const latin = replaced(plain, latinByTwin);
  return isLatin(latin) && (around === "latin" || around === "other") ? latin : plain;
}
