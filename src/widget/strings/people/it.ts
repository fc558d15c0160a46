import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "Utile",
  notHelpful: "Non utile",
  why: "Che cosa non andava? (facoltativo)",
  thanks: "Grazie.",
  notSaved: "Non salvato.",
  talk: "Parla con una persona",
  name: "Nome",
  email: "E-mail",
  phone: "Telefono",
  message: "Messaggio",
  share: "Allega questa conversazione",
  away: "Ora non c’è nessuno. Torniamo {time}.",
  cancel: "Annulla",
  needsContact: "Ci dica come contattarla.",
  badEmail: "Questo non è un indirizzo e-mail.",
  notTaken: "Non inviato. Quello che ha scritto è conservato.",
  asked: "Qualcuno la ricontatterà.",
  write: "Scriveremo a {to}.",
  call: "Chiameremo il {to}.",
  here: "{name} è qui",
  botAgain: "Sta scrivendo di nuovo con l’assistente",
  closed: "La sua richiesta è stata chiusa. Può chiedere di nuovo.",
};

export default strings;
