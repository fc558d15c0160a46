import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "Hilfreich",
  notHelpful: "Nicht hilfreich",
  why: "Was war falsch? (freiwillig)",
  thanks: "Danke.",
  notSaved: "Nicht gespeichert.",
  talk: "Mit einem Menschen sprechen",
  name: "Name",
  email: "E-Mail",
  phone: "Telefon",
  message: "Nachricht",
  share: "Diese Unterhaltung mitschicken",
  away: "Gerade ist niemand da. Wieder ab {time}.",
  cancel: "Abbrechen",
  needsContact: "Bitte sagen Sie, wie wir Sie erreichen.",
  badEmail: "Das ist keine E-Mail-Adresse.",
  notTaken: "Nicht gesendet. Ihre Angaben sind noch da.",
  asked: "Jemand meldet sich bei Ihnen.",
  write: "Wir schreiben an {to}.",
  call: "Wir rufen {to} an.",
  here: "{name} ist da",
  botAgain: "Sie schreiben wieder mit dem Assistenten",
  closed: "Ihre Anfrage wurde geschlossen. Sie können erneut fragen.",
};

export default strings;
