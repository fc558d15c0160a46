/** Most levels of nested encodings that are decoded. */
const MAX_ROUNDS = 2;
/** Shorter decoded texts also result from order numbers by chance. */
const MIN_DECODED_LENGTH = 5;
/** Minimum share of letters and spaces (punctuation aside) in a decoded text; random bytes have less. */
const READABLE_SHARE = 0.8;
/** A decoded text has letters of one script only. */
const ONE_SCRIPT =
  /^(?:[\p{scx=Latin}\P{L}]*|[\p{scx=Cyrillic}\P{L}]*|[\p{scx=Greek}\P{L}]*|[\p{scx=Arabic}\P{L}]*|[\p{scx=Hebrew}\P{L}]*|[\p{scx=Deva}\P{L}]*|[\p{scx=Thai}\P{L}]*|[\p{scx=Hangul}\P{L}]*|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\P{L}]*)$/u;

const asUtf8 = new TextDecoder("utf-8", { fatal: true });

function utf8Of(bytes: readonly number[] | Uint8Array): string | undefined {
  try {
    return asUtf8.decode(Uint8Array.from(bytes));
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}

/** Whether decoded bytes are a readable text: printable, mostly letters, and of one script. */
function isReadable(text: string): boolean {
  if (text.length < MIN_DECODED_LENGTH || !ONE_SCRIPT.test(text)) return false;
  if (/[\p{Cc}\p{Cn}\p{Co}]/u.test(text.replaceAll(/\s/g, " "))) return false;
  const letters = text.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0;
  return letters >= READABLE_SHARE * Array.from(text).length;
}

const isControl = (byte: number): boolean => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13;

/** Whether decoded bytes are accepted as hidden text. */
type IsText = (text: string) => boolean;

/** Whether decoded bytes are printable. Such texts are only searched for data and deny terms, because printable bytes may be chance. */
const isPrintable: IsText = (text) => text.length >= MIN_PRINTABLE_LENGTH && !/[\p{C}\ufffd]/u.test(text);
/** The shortest deny term has three letters. */
const MIN_PRINTABLE_LENGTH = 3;

function textOf(bytes: readonly number[] | Uint8Array | undefined, isText: IsText): string | undefined {
  if (bytes === undefined || bytes.some((byte) => isControl(byte))) return undefined;
  const text = utf8Of(bytes);
  return text !== undefined && isText(text) ? text : undefined;
}

/** Length of nine encoded digits, the shortest phone number. */
const MIN_NUMBERS_LENGTH = 12;

function base64Bytes(encoded: string): Uint8Array | undefined {
  // Base64 of text mixes cases and digits, and Base64 of numbers mixes capitals and digits; words and names do not.
  const mayBeNumbers = encoded.length >= MIN_NUMBERS_LENGTH && /^(?=.*\d)[A-Z\d]+=*$/.test(encoded);
  if (!mayBeNumbers && (!/[a-z]/.test(encoded) || !/[A-Z\d]/.test(encoded.slice(1)))) return undefined;
  const standard = encoded.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (standard.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

function hexBytes(encoded: string): number[] | undefined {
  const digits = encoded.replaceAll(/0x|\\x|[^0-9a-f]/gi, "");
  if (digits.length % 2 === 1) return undefined;
  return (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

const bitBytes = (encoded: string): number[] =>
  (encoded.replaceAll(/\s/g, "").match(/.{8}/g) ?? []).map((bits) => Number.parseInt(bits, 2));

function codePoint(value: number, otherwise: string): string {
  return value > 0 && value <= 0x10_ff_ff ? String.fromCodePoint(value) : otherwise;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  commat: "@",
  period: ".",
  plus: "+",
};

function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return codePoint(Number.parseInt(hex, 16), whole);
    if (decimal !== undefined) return codePoint(Number(decimal), whole);
    return ENTITIES[String(name).toLowerCase()] ?? whole;
  });
}

function withoutEscapes(text: string): string {
  return text.replaceAll(/\\u(?:([0-9a-f]{4})|\{([0-9a-f]{1,6})\})/gi, (whole, four, braced) =>
    codePoint(Number.parseInt(four ?? braced, 16), whole),
  );
}

/** Decodes runs of `%64%65…`; a plus sign beside one is a space. */
function withoutPercents(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  return text
    .replaceAll(/(?<=\S)\+(?=\S)/g, " ")
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => utf8Of(hexBytes(run.replaceAll("%", "")) ?? []) ?? run);
}

/** Unbroken runs first: if separators are allowed, the end of the word before ("ed") would count as a byte. */
const HEX_RUNS = [
  /(?<![0-9a-z])(?:[0-9a-f]{2}){4,}(?![0-9a-z])/gi,
  /(?:(?:0x|\\x)?[0-9a-f]{2}[\s,:;-]*){4,}/gi,
];

function withoutHex(text: string, isText: IsText): string {
  const plainOf = (run: string): string => {
    const plain = textOf(hexBytes(run), isText);
    return plain === undefined ? run : ` ${plain} `;
  };
  const [unbroken, parted] = HEX_RUNS.map((runs) => (rest: string) => rest.replaceAll(runs, plainOf)) as [
    (rest: string) => string,
    (rest: string) => string,
  ];
  const first = unbroken(text);
  // Decoded numbers are not decoded again.
  return isText === isPrintable && first !== text ? first : parted(first);
}

function withoutBits(text: string): string {
  return text.replaceAll(/[01]{8}(?:\s*[01]{8}){2,}/g, (run) => textOf(bitBytes(run), isReadable) ?? run);
}

function withoutBase64(text: string, isText: IsText): string {
  const runs = isText === isPrintable ? /[A-Za-z0-9+/_-]{4,}={0,2}/g : /[A-Za-z0-9+/_-]{8,}={0,2}/g;
  return text.replaceAll(runs, (run) => textOf(base64Bytes(run), isText) ?? run);
}

function decodedOnce(text: string, isText: IsText): string {
  const plain = withoutPercents(withoutEscapes(withoutEntities(text)));
  return withoutBase64(withoutBits(withoutHex(plain, isText)), isText);
}

const MAY_BE_ENCODED =
  /&#?\w{1,8};|\\[ux]|[%x][0-9a-f]{2}|[0-9a-f]{2}[\s,:;-]*[0-9a-f]{2}|[A-Za-z0-9+/_-]{8}/i;

/**
 * Decodes Base64, hexadecimal, binary, percent, character-reference and `\u` encodings in place, twice if nested. Runs that do not decode
 * to readable text stay as they are.
 */
export function decoded(text: string): string {
  let plain = text;
  for (let round = 0; round < MAX_ROUNDS && MAY_BE_ENCODED.test(plain); round++) {
    const next = decodedOnce(plain, isReadable);
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

/**
 * The same for anything printable: numbers, addresses and words of four letters. Each step is a text of its own, because a decoded number
 * may decode again by chance.
 */
export function decodedData(text: string): string[] {
  const steps: string[] = [];
  let plain = text;
  for (let round = 0; round < MAX_ROUNDS && MAY_BE_ENCODED_DATA.test(plain); round++) {
    const signs = withoutPercents(withoutEscapes(withoutEntities(plain)));
    const next = decodedOnce(signs, isPrintable);
    for (const step of [signs, next]) if (step !== plain) steps.push(step);
    if (next === plain) break;
    plain = next;
  }
  return steps;
}

/** A Base64 word of letters only has a capital or digit after its start. */
const MAY_BE_ENCODED_DATA =
  /&#?\w{1,8};|\\[ux]|[%x][0-9a-f]{2}|[0-9a-f]{2}(?:[\s,:;-]*[0-9a-f]{2}){3}|[A-Za-z0-9+/_-]{3}[A-Z0-9]|[A-Za-z][A-Z0-9][A-Za-z0-9+/_-]{2}/;

/** ROT13, its own inverse. */
export function rotated(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** The text reversed. */
export function reversed(text: string): string {
  return Array.from(text).toReversed().join("");
}
