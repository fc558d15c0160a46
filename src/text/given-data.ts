import type { ChatMetadata } from "../domain/chat.ts";
import type { DecisionRule } from "../domain/decision.ts";
import type { Span } from "../domain/personal-data.ts";
import { TEXT_LANGUAGES } from "../domain/texts.ts";
import { isFunctionWord } from "./function-words.ts";
import { normaliseText } from "./normalise.ts";
import { findPersonalData, redactText } from "./personal-data.ts";
import { hashWordText } from "./word-hash.ts";

// Data in a message: order numbers, e-mail addresses, phone numbers, dates and licence plates.

export interface GivenDatum extends Span {
  kind: "e-mail" | "phone" | "card-number" | "iban" | "date" | "plate" | "number";
}

/** A message that consists of data and words around them only ("my order number is 2210987"). */
export interface GivenData {
  /** In order of occurrence; at least one. */
  data: readonly GivenDatum[];
  /** A number or plate in its original spelling. It may be repeated, because it does not identify a person by itself. */
  named?: string;
  /** Whether a word says what the data are, such as "order". */
  saysWhat: boolean;
}

/** Longer messages contain more than data. */
const LONGEST = 200;
/** Shorter numbers are amounts, unless a word such as "order" precedes them. */
const MIN_DIGITS = 5;

/** Words for things with numbers, and for data beside them, by language; all languages are used together. */
const WHAT = `order orders invoice customer client booking reservation parcel package tracking shipment delivery ticket case account contract member membership purchase
bestellung bestellnummer bestellnr auftrag auftragsnummer auftragsnr rechnung rechnungsnummer kunde kundennummer kundennr buchung buchungsnummer sendung sendungsnummer paket
paketnummer vorgang vorgangsnummer vertrag vertragsnummer ticketnummer termin kennzeichen autokennzeichen nummernschild geburtsdatum geburtstag
pedido factura cliente reserva envio paquete seguimiento contrato cuenta matricula nacimiento commande facture colis suivi contrat compte dossier plaque immatriculation naissance
ordine fattura prenotazione spedizione pacco contratto conto targa nascita bestelling bestelnummer ordernummer factuur factuurnummer klant klantnummer boeking reservering pakket zending
kenteken geboortedatum encomenda fatura encomendas reserva matricula nascimento zamowienie zamowienia faktura faktury rezerwacja rezerwacji przesylka siparis fatura rezervasyon kargo plaka
email mail emailaddress address adresse direccion correo indirizzo adres endereco phone mobile telephone cell tel telefon telefonnummer handy handynummer mobil telefono movil telephone portable
telefoon telefoonnummer mobiel telefone telemovel cellulare plate plates licence license registration reg car vehicle birth birthday born dob geboren date datum fecha data`;
/** Words that may stand beside data without asking for anything else. */
const BESIDE = `reach call contact under erreichbar erreichen number numbers no nr num id ref reference code is check look lookup find see track status here hi hello hey please thanks thank yes ok and sorry
nummer nummern lautet heisst prufen nachsehen nachschauen schauen suchen finden hallo bitte danke ja guten tag moin
numero num consultar mirar buscar comprobar ver hola gracias favor buenas si numero verifier regarder chercher bonjour merci svp voici numero controllare guardare cercare ciao buongiorno grazie ecco
nummer opzoeken controleren kijken hallo bedankt dank numero verificar procurar ola obrigado obrigada numer prosze dzien dobry numarasi numaram lutfen merhaba`;

const wordsOf = (text: string): string[] => normaliseText(text).match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [];
const whatWords = new Set(wordsOf(WHAT));
const besideWords = new Set(wordsOf(BESIDE));

/** The data of a message that consists of data only. A question with only days is no such message: it asks about these days. Pure. */
export function givenDataIn(text: string): GivenData | undefined {
  if (text.length > LONGEST || !/[\p{Nd}@(]/u.test(text)) return undefined;
  const data = findData(text);
  if (data.length === 0) return undefined;
  if (text.includes("?") && data.every(({ kind }) => kind === "date")) return undefined;
  const words = wordsOf(withoutSpans(text, data));
  const isBeside = (word: string) =>
    whatWords.has(word) || besideWords.has(word) || isFunctionWord(hashWordText(word));
  if (!words.every(isBeside)) return undefined;
  const named = data.find(({ kind }) => kind === "number" || kind === "plate");
  return {
    data,
    ...(named && { named: text.slice(named.start, named.end) }),
    saysWhat: words.some((word) => whatWords.has(word)),
  };
}

/** Whether a text has data, and not a word beside them. Pure. */
export function isDataAlone(text: string): boolean {
  return text.length <= LONGEST && !/\p{L}/u.test(withoutSpans(text, findData(text)));
}

/** Values for the contact form. */
interface FormFill {
  name?: string;
  email?: string;
  phone?: string;
  message: string;
}

/** Values for the contact form from a message. The form's message is the text itself without card and account numbers. Pure. */
function formFillFrom(text: string): FormFill {
  const data = findData(text);
  const first = (kind: GivenDatum["kind"]): string | undefined => {
    const found = data.find((datum) => datum.kind === kind);
    return found && text.slice(found.start, found.end);
  };
  const [email, phone, name] = [first("e-mail"), first("phone"), NAME.exec(text)?.[1]];
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    message: redactText(text, ["card-number", "iban"]),
  };
}

/** The offer of a person in a turn's metadata; with form values if the message gave data. Depends only on the message. */
export function handoffOffer(rule: DecisionRule, input: string): NonNullable<ChatMetadata["handoff"]> {
  const isFilled = rule === "data" && input !== "";
  return { state: "offered", ...(isFilled && { fill: formFillFrom(input) }) };
}

/** A name as people give it: one to three capitalised words after "my name is" and similar. */
const NAME =
  /(?:[Mm]y name is|[Mm]y name's|[Ii]ch hei(?:ß|ss)e|[Mm]ein [Nn]ame ist|[Mm]e llamo|[Mm]i nombre es|[Jj]e m'appelle|[Mm]on nom est|[Mm]i chiamo|[Ii]l mio nome è|[Ii]k heet|[Mm]ijn naam is|[Mm]e chamo|[Mm]eu nome é|[Nn]azywam się|[Aa]dım)\s+((?:\p{Lu}[\p{L}\p{M}'’-]*)(?:\s\p{Lu}[\p{L}\p{M}'’-]*){0,2})/u;

/** All data of a text in order, without overlaps. */
function findData(text: string): GivenDatum[] {
  const personal = findPersonalData(text, ["iban", "card-number", "e-mail", "phone"]);
  const found: GivenDatum[] = [...personal];
  const add = (spans: readonly GivenDatum[]) => {
    for (const span of spans) {
      if (!found.some((other) => span.start < other.end && other.start < span.end)) found.push(span);
    }
  };
  add(spansOf(text, ADDRESS, "e-mail"));
  for (const date of datePatterns()) add(spansOf(text, date, "date"));
  for (const plate of PLATES) add(spansOf(text, plate, "plate"));
  add(numbersIn(text));
  return found.toSorted((left, right) => left.start - right.start);
}

function spansOf(text: string, pattern: RegExp, kind: GivenDatum["kind"]): GivenDatum[] {
  return [...text.matchAll(pattern)].map(({ 0: match, index }) => ({
    kind,
    start: index,
    end: index + match.length,
  }));
}

/** An e-mail address; its ending may have been removed as a common part. */
const ADDRESS = /(?<!\S)[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,255}(?![^\s,;!?])/gu;

/** Licence plates of Germany, Britain, France and Italy, Spain, Portugal and the Netherlands. */
const PLATES: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2}[- ]?\d{1,4}[EH]?(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}\s?[A-Z]{3}(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])[A-Z]{2}[- ]?\d{3}[- ]?[A-Z]{2}(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])\d{4}[- ]?[BCDFGHJ-NPRSTV-Z]{3}(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])\d{2}-(?:\d{2}-[A-Z]{2}|[A-Z]{2}-\d{2}|[A-Z]{2,3}-\d{1,2})(?![\p{L}\p{N}])/gu,
];

/** A token with digits, without the sentence's signs; letters of a code are at its start or between its digits. */
const TOKEN =
  /(?<![\p{L}\p{N}.,-])(?:#\s?)?(?:\p{L}{1,5}[-/_.]?)?\d[\p{L}\d]{0,19}(?:[-/_][\p{L}\d]{1,20}){0,4}(?![\p{L}\p{N}%€$£]|[.,:]\d)/gu;
const WHAT_BEFORE =
  /([\p{L}\p{M}.]+)[\s:#°º.]*(?:(?:no|nr|num|number|nummer|numero|número|numéro|id|is|ist|es|est|è|é)\b[\s:#°º.]*){0,2}$/iu;

/** Identifying numbers: long ones, and any after a word that says what it is. */
function numbersIn(text: string): GivenDatum[] {
  return spansOf(text, TOKEN, "number").filter(({ start, end }) => {
    const digits = text.slice(start, end).match(/\d/g)?.length ?? 0;
    if (digits >= MIN_DIGITS) return true;
    const [, before = ""] = WHAT_BEFORE.exec(text.slice(Math.max(0, start - 60), start)) ?? [];
    return digits >= 2 && wordsOf(before).some((word) => whatWords.has(word) && !DATED.has(word));
  });
}

/** After these words a short number is a day or year. */
const DATED = new Set([
  "termin",
  "date",
  "datum",
  "fecha",
  "data",
  "born",
  "geboren",
  "birthday",
  "geburtstag",
]);

let dates: readonly RegExp[] | undefined;

/** Dates with a year, in figures or with the name of a month in one of the twelve languages. */
const datePatterns = (): readonly RegExp[] => (dates ??= [...DATES_IN_FIGURES, ...datesWithMonths()]);

const DATES_IN_FIGURES = [
  /(?<!\d)\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:19|20)\d\d(?!\d)/gu,
  /(?<!\d)\d{1,2}[./]\d{1,2}[./]\d\d(?!\d)/gu,
  /(?<!\d)(?:19|20)\d\d-\d{2}-\d{2}(?!\d)/gu,
  /(?<!\d)(?:19|20)\d\d年\d{1,2}月\d{1,2}日/gu,
];

function datesWithMonths(): RegExp[] {
  const names = new Set(
    TEXT_LANGUAGES.flatMap((language) =>
      Array.from({ length: 12 }, (_, month) =>
        new Intl.DateTimeFormat(language, { month: "long", day: "numeric", timeZone: "UTC" })
          .formatToParts(Date.UTC(2024, month, 1))
          .flatMap(({ type, value }) => (type === "month" && /\p{L}{3}/u.test(value) ? [value] : [])),
      ).flat(),
    ),
  );
  const month = `(?:${[...names].join("|")})`;
  return [
    new RegExp(
      String.raw`(?<!\d)\d{1,2}(?:\.|st|nd|rd|th|º)?\s?(?:de\s|d')?${month}(?:\sde)?,?\s(?:19|20)\d\d(?!\d)`,
      "giu",
    ),
    new RegExp(String.raw`${month}\s\d{1,2}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d(?!\d)`, "giu"),
  ];
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of spans) {
    rest += `${text.slice(from, start)} `;
    from = Math.max(from, end);
  }
  return rest + text.slice(from);
}
