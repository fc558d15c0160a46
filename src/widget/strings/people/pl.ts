import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "Pomocne",
  notHelpful: "Niepomocne",
  why: "Co było nie tak? (opcjonalnie)",
  thanks: "Dziękujemy.",
  notSaved: "Nie zapisano.",
  talk: "Porozmawiaj z człowiekiem",
  name: "Imię i nazwisko",
  email: "E-mail",
  phone: "Telefon",
  message: "Wiadomość",
  share: "Dołącz tę rozmowę",
  away: "Teraz nikogo nie ma. Wracamy: {time}.",
  cancel: "Anuluj",
  needsContact: "Podaj, jak się z Tobą skontaktować.",
  badEmail: "To nie jest adres e-mail.",
  notTaken: "Nie wysłano. Wpisany tekst został zachowany.",
  asked: "Ktoś się z Tobą skontaktuje.",
  write: "Napiszemy na adres {to}.",
  call: "Zadzwonimy pod numer {to}.",
  here: "{name} jest tutaj",
  botAgain: "Znów piszesz z asystentem",
  closed: "Prośba została zamknięta. Możesz poprosić ponownie.",
};

export default strings;
