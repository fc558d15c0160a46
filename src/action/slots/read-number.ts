import { normaliseText } from "../../text/normalise.ts";
import { localeOf } from "../wording.ts";
import type { ReadingContext, ReadSlot, SlotReading } from "./slot-reading.ts";

/** One to twelve, as visitors write them. */
const WORDS = [
  "one|eins|ein|eine|einen|uno|una|un|une|een|um|uma",
  "two|zwei|dos|deux|due|twee|dois|duas",
  "three|drei|tres|trois|tre|drie",
  "four|vier|cuatro|quatre|quattro|quatro",
  "five|funf|cinco|cinq|cinque|vijf",
  "six|sechs|seis|sei|zes",
  "seven|sieben|siete|sept|sette|zeven|sete",
  "eight|acht|ocho|huit|otto|oito",
  "nine|neun|nueve|neuf|nove|negen",
  "ten|zehn|diez|dix|dieci|tien|dez",
  "eleven|elf|once|onze|undici",
  "twelve|zwolf|doce|douze|dodici|twaalf|doze",
].map((words) => new Set(words.split("|")));
/** The number, 1 to 12, that a word names, or 0. Articles are included, so they count only if a number was asked for. */
export const wordValue = (word: string): number =>
  WORDS.findIndex((words) => words.has(normaliseText(word))) + 1;

const NUMBER =
  /(?<![\p{L}\p{N}.,'’/:-])[-−]?\d{1,15}(?:[.,'’\u00a0\u202f ]\d{1,15})*(?![\p{L}\p{N}/:-]|[.,]\d)/gu;

export const readInteger: ReadSlot = (text, slot, context) =>
  readNumber(text, slot, context).filter(({ value }) => /^-?\d+$/.test(value));

/** Rejects numbers that JSON would change. */
export const readNumber: ReadSlot = (text, _slot, context) =>
  numbersIn(text, context).filter(({ value }) => String(Number(value)) === value);

function numbersIn(text: string, context: ReadingContext): SlotReading[] {
  const figures = [...text.matchAll(NUMBER)].flatMap(
    ([written]) => decimalOf(written, context.language) ?? [],
  );
  const words = context.isAsked
    ? text
        .split(/[^\p{L}\p{M}]+/u)
        .map(wordValue)
        .filter(Boolean)
        .map(String)
    : [];
  return (figures.length > 0 ? figures : words).map((value) => ({ value }));
}

/** The decimal and thousands separators of a language. */
function separatorsOf(language: string): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(localeOf(language)).formatToParts(1234567.8);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return { decimal: of("decimal"), group: of("group") };
}

/** A number with a decimal point; undefined for malformed groups of digits. Pure. */
export function decimalOf(written: string, language: string): string | undefined {
  const { decimal, group } = separatorsOf(language);
  const text = written.replace("−", "-").replaceAll(/[\s’']/gu, " ");
  const [sign, digits] = text.startsWith("-") ? ["-", text.slice(1)] : ["", text];
  const own = plainOf(digits, decimal, /^\s*$/u.test(group) ? " " : group);
  const other = decimal === "," ? plainOf(digits, ".", ",") : plainOf(digits, ",", ".");
  const found = own ?? other;
  return found === undefined ? undefined : sign + found;
}

/** The number with these separators: groups of three digits, decimals at the end. */
function plainOf(text: string, decimal: string, group: string): string | undefined {
  const [whole = "", decimals, ...rest] = text.split(decimal);
  if (rest.length > 0 || (decimals !== undefined && !/^\d+$/.test(decimals))) return undefined;
  const groups = whole.split(/ /.test(whole) ? " " : group);
  const isGrouped =
    groups.length > 1 && /^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((one) => /^\d{3}$/.test(one));
  if (groups.length > 1 ? !isGrouped : !/^\d+$/.test(whole)) return undefined;
  const digits = groups.join("").replace(/^0+(?=\d)/, "");
  const fraction = decimals?.replace(/0+$/, "") ?? "";
  return fraction === "" ? digits : `${digits}.${fraction}`;
}

const CURRENCIES: readonly (readonly [sign: RegExp, code: string])[] = [
  [/€|\beuros?\b|\beur\b/iu, "EUR"],
  [/£|\bpounds?\b|\bgbp\b/iu, "GBP"],
  [/¥|\byen\b|\bjpy\b|円/iu, "JPY"],
  [/\bchf\b|\bfranken\b/iu, "CHF"],
  [/\bpln\b|zł|złot/iu, "PLN"],
  [/₺|\btry\b|\blira\b/iu, "TRY"],
  [/\bcny\b|\brmb\b|元/iu, "CNY"],
  [/\$|\bdollars?\b|\busd\b/iu, "USD"],
];

/** An amount, with the currency if the visitor names one: `12.50`, `12.50 EUR`. */
export const readMoney: ReadSlot = (text, _slot, context) => {
  const named = CURRENCIES.filter(([sign]) => sign.test(text));
  if (named.length > 1 || (named.length === 0 && !context.isAsked)) return [];
  const currency = named[0]?.[1];
  const bare = text.replaceAll(/[€£¥$₺元円]/gu, " ");
  return numbersIn(bare, context).flatMap(({ value }) => {
    const [whole, decimals = ""] = value.split(".");
    if (decimals.length > 2 || value.startsWith("-")) return [];
    const amount = `${whole}.${decimals.padEnd(2, "0")}`;
    return [{ value: currency === undefined ? amount : `${amount} ${currency}` }];
  });
};
