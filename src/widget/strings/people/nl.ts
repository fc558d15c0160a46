import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "Nuttig",
  notHelpful: "Niet nuttig",
  why: "Wat klopte er niet? (optioneel)",
  thanks: "Bedankt.",
  notSaved: "Niet opgeslagen.",
  talk: "Met een mens praten",
  name: "Naam",
  email: "E-mail",
  phone: "Telefoon",
  message: "Bericht",
  share: "Dit gesprek meesturen",
  away: "Er is nu niemand. We zijn er weer {time}.",
  cancel: "Annuleren",
  needsContact: "Laat ons weten hoe we u bereiken.",
  badEmail: "Dit is geen e-mailadres.",
  notTaken: "Niet verzonden. Wat u schreef is bewaard.",
  asked: "Iemand neemt contact met u op.",
  write: "We schrijven naar {to}.",
  call: "We bellen {to}.",
  here: "{name} is er",
  botAgain: "U schrijft weer met de assistent",
  closed: "Uw verzoek is gesloten. U kunt het opnieuw vragen.",
};

export default strings;
