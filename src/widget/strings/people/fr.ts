import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "Utile",
  notHelpful: "Pas utile",
  why: "Qu’est-ce qui n’allait pas ? (facultatif)",
  thanks: "Merci.",
  notSaved: "Non enregistré.",
  talk: "Parler à une personne",
  name: "Nom",
  email: "E-mail",
  phone: "Téléphone",
  message: "Message",
  share: "Joindre cette conversation",
  away: "Personne n’est là pour le moment. De retour {time}.",
  cancel: "Annuler",
  needsContact: "Indiquez-nous comment vous joindre.",
  badEmail: "Ce n’est pas une adresse e-mail.",
  notTaken: "Non envoyé. Votre saisie est conservée.",
  asked: "Quelqu’un vous répondra.",
  write: "Nous écrirons à {to}.",
  call: "Nous appellerons le {to}.",
  here: "{name} est là",
  botAgain: "Vous écrivez de nouveau à l’assistant",
  closed: "Votre demande a été close. Vous pouvez en faire une autre.",
};

export default strings;
