import type { SlotType } from "../domain/action.ts";
import type { TextLanguage } from "../domain/texts.ts";

/** Texts around the questions of an action, by language. */
export interface SlotWords {
  yes: string;
  no: string;
  /** Reads back a value that could be read in two ways; `{value}` is replaced. */
  readBack: string;
  /** Several values were given, but one is needed. */
  several: string;
  /** Proofs failed too often. */
  tooMany: string;
  /** The fault of an invalid reply. */
  wrong: Record<SlotType, string>;
}

/** Follows a read-back value that needs a yes: in English only, where days in figures are written in two orders. */
export const IS_THAT_RIGHT = "Is that right?";

const words = (
  [yes, no, readBack, several, tooMany]: readonly [string, string, string, string, string],
  [text, number, money, date, time, email, phone, choice, yesno]: readonly [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ],
): SlotWords => ({
  yes,
  no,
  readBack,
  several,
  tooMany,
  wrong: { text, integer: number, number, money, date, time, email, phone, choice, yesno },
});

export const SLOT_WORDS: Record<TextLanguage, SlotWords> = {
  en: words(
    [
      "Yes",
      "No",
      "I take that as {value}.",
      "That is more than one.",
      "I can't check that here any more for now.",
    ],
    [
      "That doesn't have the right form.",
      "That is no number I can read.",
      "That is no amount I can read.",
      "That is no date I can read.",
      "That is no time of day I can read.",
      "That is no complete e-mail address.",
      "That is no complete phone number.",
      "That is none of the choices.",
      "I need a yes or a no.",
    ],
  ),
  de: words(
    [
      "Ja",
      "Nein",
      "Ich lese das als {value}.",
      "Das ist mehr als eins.",
      "Das kann ich hier vorerst nicht mehr prüfen.",
    ],
    [
      "Das hat nicht die richtige Form.",
      "Das ist keine Zahl, die ich lesen kann.",
      "Das ist kein Betrag, den ich lesen kann.",
      "Das ist kein Datum, das ich lesen kann.",
      "Das ist keine Uhrzeit, die ich lesen kann.",
      "Das ist keine vollständige E-Mail-Adresse.",
      "Das ist keine vollständige Telefonnummer.",
      "Das steht nicht zur Auswahl.",
      "Ich brauche ein Ja oder ein Nein.",
    ],
  ),
  es: words(
    ["Sí", "No", "Lo entiendo como {value}.", "Es más de uno.", "Por ahora no puedo comprobarlo más aquí."],
    [
      "No tiene la forma correcta.",
      "No es un número que pueda leer.",
      "No es un importe que pueda leer.",
      "No es una fecha que pueda leer.",
      "No es una hora que pueda leer.",
      "No es una dirección de correo completa.",
      "No es un número de teléfono completo.",
      "No es ninguna de las opciones.",
      "Necesito un sí o un no.",
    ],
  ),
  fr: words(
    [
      "Oui",
      "Non",
      "Je comprends {value}.",
      "Il y en a plusieurs.",
      "Je ne peux plus vérifier cela ici pour le moment.",
    ],
    [
      "Cela n'a pas la bonne forme.",
      "Ce n'est pas un nombre que je sais lire.",
      "Ce n'est pas un montant que je sais lire.",
      "Ce n'est pas une date que je sais lire.",
      "Ce n'est pas une heure que je sais lire.",
      "Ce n'est pas une adresse e-mail complète.",
      "Ce n'est pas un numéro de téléphone complet.",
      "Ce n'est aucun des choix.",
      "Il me faut un oui ou un non.",
    ],
  ),
  it: words(
    ["Sì", "No", "Lo leggo come {value}.", "È più di uno.", "Per ora non posso più verificarlo qui."],
    [
      "Non ha la forma giusta.",
      "Non è un numero che so leggere.",
      "Non è un importo che so leggere.",
      "Non è una data che so leggere.",
      "Non è un orario che so leggere.",
      "Non è un indirizzo e-mail completo.",
      "Non è un numero di telefono completo.",
      "Non è tra le scelte.",
      "Mi serve un sì o un no.",
    ],
  ),
  nl: words(
    [
      "Ja",
      "Nee",
      "Ik lees dat als {value}.",
      "Dat is er meer dan één.",
      "Dat kan ik hier voorlopig niet meer nakijken.",
    ],
    [
      "Dat heeft niet de juiste vorm.",
      "Dat is geen getal dat ik kan lezen.",
      "Dat is geen bedrag dat ik kan lezen.",
      "Dat is geen datum die ik kan lezen.",
      "Dat is geen tijdstip dat ik kan lezen.",
      "Dat is geen volledig e-mailadres.",
      "Dat is geen volledig telefoonnummer.",
      "Dat is geen van de keuzes.",
      "Ik heb een ja of een nee nodig.",
    ],
  ),
  pt: words(
    [
      "Sim",
      "Não",
      "Leio isso como {value}.",
      "Isso é mais do que um.",
      "Por agora não posso verificar mais isso aqui.",
    ],
    [
      "Isso não tem a forma certa.",
      "Isso não é um número que eu consiga ler.",
      "Isso não é um valor que eu consiga ler.",
      "Isso não é uma data que eu consiga ler.",
      "Isso não é uma hora que eu consiga ler.",
      "Isso não é um endereço de e-mail completo.",
      "Isso não é um número de telefone completo.",
      "Isso não é nenhuma das opções.",
      "Preciso de um sim ou de um não.",
    ],
  ),
  pl: words(
    [
      "Tak",
      "Nie",
      "Rozumiem to jako {value}.",
      "To więcej niż jedno.",
      "Na razie nie mogę tego tu dalej sprawdzać.",
    ],
    [
      "To nie ma właściwej formy.",
      "To nie jest liczba, którą potrafię odczytać.",
      "To nie jest kwota, którą potrafię odczytać.",
      "To nie jest data, którą potrafię odczytać.",
      "To nie jest godzina, którą potrafię odczytać.",
      "To nie jest pełny adres e-mail.",
      "To nie jest pełny numer telefonu.",
      "Tego nie ma do wyboru.",
      "Potrzebuję odpowiedzi tak lub nie.",
    ],
  ),
  tr: words(
    [
      "Evet",
      "Hayır",
      "Bunu {value} olarak anlıyorum.",
      "Bu birden fazla.",
      "Şimdilik bunu burada daha fazla kontrol edemem.",
    ],
    [
      "Bu doğru biçimde değil.",
      "Bu okuyabildiğim bir sayı değil.",
      "Bu okuyabildiğim bir tutar değil.",
      "Bu okuyabildiğim bir tarih değil.",
      "Bu okuyabildiğim bir saat değil.",
      "Bu tam bir e-posta adresi değil.",
      "Bu tam bir telefon numarası değil.",
      "Bu seçeneklerden biri değil.",
      "Evet ya da hayır demeniz gerekiyor.",
    ],
  ),
  ar: words(
    [
      "نعم",
      "لا",
      "أفهم ذلك على أنه {value}.",
      "هذا أكثر من واحد.",
      "لا يمكنني التحقق من ذلك هنا في الوقت الحالي.",
    ],
    [
      "هذا ليس بالشكل الصحيح.",
      "هذا ليس رقمًا يمكنني قراءته.",
      "هذا ليس مبلغًا يمكنني قراءته.",
      "هذا ليس تاريخًا يمكنني قراءته.",
      "هذا ليس وقتًا يمكنني قراءته.",
      "هذا ليس عنوان بريد إلكتروني كاملاً.",
      "هذا ليس رقم هاتف كاملاً.",
      "هذا ليس من بين الخيارات.",
      "أحتاج إلى نعم أو لا.",
    ],
  ),
  ja: words(
    ["はい", "いいえ", "{value}として承ります。", "複数あります。", "ここでは今これ以上確認できません。"],
    [
      "形式が正しくありません。",
      "数字として読み取れません。",
      "金額として読み取れません。",
      "日付として読み取れません。",
      "時刻として読み取れません。",
      "メールアドレスとして完全ではありません。",
      "電話番号として完全ではありません。",
      "選択肢にありません。",
      "「はい」か「いいえ」でお答えください。",
    ],
  ),
  zh: words(
    ["是", "否", "我理解为{value}。", "这不止一个。", "暂时无法在这里继续核实。"],
    [
      "格式不对。",
      "我读不出这个数字。",
      "我读不出这个金额。",
      "我读不出这个日期。",
      "我读不出这个时间。",
      "这不是完整的电子邮件地址。",
      "这不是完整的电话号码。",
      "这不在选项之中。",
      "请回答是或否。",
    ],
  ),
};
