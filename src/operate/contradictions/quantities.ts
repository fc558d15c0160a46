/** An amount in a text that can be compared: its kind, unit and value. */
export interface Quantity {
  /** `time`: minutes after midnight; `money`: in its currency; others: a count. */
  kind:
    | "time"
    | "money"
    | "percent"
    | "minute"
    | "hour"
    | "day"
    | "week"
    | "month"
    | "year"
    | "kilometre"
    | "person";
  value: number;
}

const CURRENCY = "€|\\$|£|₺|¥|(?:euros?|eur|chf|usd|gbp|dollars?|zł|tl|francs?)(?!\\p{L})";
const AMOUNT = "\\d{1,3}(?:[.,  ]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?";

const MONEY = new RegExp(`(?:${CURRENCY})\\s?(${AMOUNT})|(${AMOUNT})\\s?(?:${CURRENCY})`, "giu");
const PERCENT =
  /(\d+(?:[.,]\d+)?)\s?(?:%|percent|per cent|prozent|procent|pour ?cent|por ciento|per cento)/giu;
/**
 * Matches "7:30", "19 h 30", "17.30 uur", "8 am", "9 Uhr". A point separates hours from minutes only if the hour is marked or a range
 * follows.
 */
const CLOCK =
  /(?<![\d.,:])(\d{1,2})(?:\s?[:h]\s?(\d{2})|\.(\d{2})(?=\s?(?:uhr|uur|h\b|[–-]\s?\d{1,2}\.\d{2}\s?(?:uhr|uur|h\b)|(?:tot|bis|à|to)\s\d{1,2}\.\d{2})))?\s?(a\.?m\.?|p\.?m\.?|uhr|uur|h(?![\p{L}\d])|o'clock)?(?![\d%]|[.,]\d)/giu;

/** Units that are counted, by the beginnings of their names. */
const UNITS: readonly (readonly [Quantity["kind"], RegExp])[] = [
  ["minute", /^(?:min(?:ut|uut|uten)?|dakika)/u],
  ["hour", /^(?:hours?$|stunden?$|uren$|uur$|heures?$|horas?$|ore$|ora$|std)/u],
  [
    "day",
    /^(?:days?$|tage?n?$|werktage?n?$|dag(?:en)?$|werkdag(?:en)?$|jours?$|d[ií]as?$|giorn[oi]$|nights?$|nächte?n?$|nuits?$|noches?$|nacht(?:en)?$)/u,
  ],
  ["week", /^(?:weeks?$|wochen?$|weken$|semaines?$|semanas?$|settiman[ae]$)/u],
  ["month", /^(?:months?$|monate?n?$|maand(?:en)?$|mois$|mes(?:es)?$|mes[ei]$|meses$)/u],
  ["year", /^(?:years?$|jahre?n?$|jaar$|ans?$|années?$|años?$|ann[oi]$|anos?$)/u],
  ["kilometre", /^(?:km$|kilom)/u],
  ["person", /^(?:persons?$|people$|personen$|personnes?$|personas?$|persone$|pessoas$|guests?$|gäste$)/u],
];

/** Small numbers in words, in the languages of `text/languages` and other frequent ones. */
const NUMBER_WORDS: readonly string[] = [
  "zero null nul",
  "one ein eine einen einem einer een un une uno una um uma",
  "two zwei twee deux dos due dois duas",
  "three drei drie trois tres tre três",
  "four vier quatre cuatro quattro quatro",
  "five fünf vijf cinq cinco cinque",
  "six sechs zes seis sei",
  "seven sieben zeven sept siete sette sete",
  "eight acht huit ocho otto oito",
  "nine neun negen neuf nueve nove",
  "ten zehn tien dix diez dieci dez",
  "eleven elf onze once undici",
  "twelve zwölf twaalf douze doce dodici doze",
];
const VALUE_OF = new Map(
  NUMBER_WORDS.flatMap((words, value) => words.split(" ").map((word) => [word, value] as const)),
);
const COUNTED = /(?<![\p{L}\d.,:])(?:(\d{1,4})[ \u00A0-]?|(\p{L}+)[ \u00A0-])(?=(\p{L}+))/gu;

/**
 * Words before an amount that make it a bound: "from 149 €", "duurder dan € 40". A bound may differ from a stated amount without
 * contradiction.
 */
const BOUND =
  /(?<!\p{L})(?:from|over|above|more than|up to|ab|über|mehr als|bis zu|dès|à partir de|plus de|jusqu'à|desde|más de|hasta|da|oltre|sopra (?:i|gli|le)?|più di|fino a|vanaf|boven|(?:meer|duurder \p{L}+|duurder) dan|tot|a partir de|mais de|acima de|até)\s*(?:de |les |las |los |i )?$/iu;
/** Few words make a time a bound: "from 8 am to 6 pm" states both times. */
const BOUND_OF_TIME =
  /(?<!\p{L})(?:after|nach|ab|na|après|dopo(?: le)?|después de(?: las)?|depois d[aeo]s?)\s*$/iu;

/** Whether the amount at a position is a bound. */
function isBound(text: string, place: number, bound: RegExp): boolean {
  return bound.test(text.slice(Math.max(0, place - 24), place));
}

/** The distinct times, prices, percentages, durations and counts in a text. */
export function quantitiesIn(text: string): Quantity[] {
  const money = [...text.matchAll(MONEY)].flatMap(({ 1: before, 2: behind, index }): Quantity[] =>
    isBound(text, index, BOUND) ? [] : [{ kind: "money", value: amountOf(before ?? behind!) }],
  );
  const withoutMoney = text.replace(MONEY, " ¤ ");
  const percent = [...withoutMoney.matchAll(PERCENT)].map(([, value]): Quantity => ({
    kind: "percent",
    value: amountOf(value!),
  }));
  const rest = withoutMoney.replace(PERCENT, " ¤ ");
  const all = [...money, ...percent, ...timesIn(rest), ...countsIn(rest)];
  return [...new Map(all.map((quantity) => [`${quantity.kind} ${quantity.value}`, quantity])).values()];
}

function amountOf(written: string): number {
  const grouped = written.replace(/[.,  ](?=\d{3}(?!\d))/g, "");
  return Number(grouped.replace(",", "."));
}

function timesIn(text: string): Quantity[] {
  return [...text.matchAll(CLOCK)].flatMap(({ 1: hour, 2: colon, 3: point, 4: half, index }): Quantity[] => {
    const minutes = colon ?? point;
    if ((minutes === undefined && half === undefined) || isBound(text, index, BOUND_OF_TIME)) return [];
    const isAfternoon = half?.toLowerCase().startsWith("p") === true;
    const isMorning = half?.toLowerCase().startsWith("a") === true;
    const hours =
      isAfternoon && hour !== "12" ? Number(hour) + 12 : isMorning && hour === "12" ? 0 : Number(hour);
    const value = 60 * hours + Number(minutes ?? 0);
    return value <= 24 * 60 && Number(minutes ?? 0) < 60 ? [{ kind: "time", value }] : [];
  });
}

function countsIn(text: string): Quantity[] {
  return [...text.toLowerCase().matchAll(COUNTED)].flatMap(
    ({ 1: digits, 2: word, 3: noun, index }): Quantity[] => {
      if (isBound(text, index, BOUND)) return [];
      const value = digits === undefined ? VALUE_OF.get(word!) : Number(digits);
      const unit = UNITS.find(([, names]) => names.test(noun!))?.[0];
      return value === undefined || unit === undefined ? [] : [{ kind: unit, value }];
    },
  );
}
