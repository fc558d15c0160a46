import type { Wording } from "../wording.ts";

export const DUTCH: Wording = {
  welcomeMessage: "Hallo! Ik ben {botName}. Waarmee kan ik u helpen?",
  DENY_LIST: "Sorry, daar kan ik u niet bij helpen.",
  NOT_IN_ALLOW_LIST: "Sorry, {botName} is daar niet voor ingericht.",
  no_intent_match: "Sorry, dat heb ik niet goed begrepen. Kunt u het anders zeggen?",
  didYouMean: "Bedoelt u: {choices}?",
  noneOfThese: "Geen van deze",
  noneChosen: "Prima. Kunt u met andere woorden zeggen wat u nodig hebt?",
  partly: "Op ‘{rest}’ heb ik helaas geen antwoord.",
  noAnswerYet: "Daar heb ik nog geen antwoord op.",
  mayHelp: "Dit kan misschien helpen:",
  modelDown:
    "Dat kan ik op dit moment niet beantwoorden. U kunt hier een bericht achterlaten voor een medewerker.",
  actionUnsure:
    "Ik weet niet of het gelukt is. Probeer het hier niet opnieuw; een medewerker kan het nakijken.",
  handoffLive: "Uw bericht is doorgegeven. Er is iemand voor u.",
  "social.greeting": "Hallo! Wat kan ik voor u doen?",
  "social.thanks": "Graag gedaan! Kan ik nog iets voor u doen?",
  "social.goodbye": "Tot ziens en een fijne dag!",
  "social.identity": "Ik ben {botName}, een automatische assistent. Ik ben geen mens.",
  "social.help": "Hier kan ik u mee helpen:",
  "social.abuse": "Het spijt me dat het frustrerend is. Zeg me wat u nodig hebt, dan doe ik wat ik kan.",
  "social.acknowledge": "Prima. Schrijf gerust als er nog iets is.",
  "social.person": "Natuurlijk. Hieronder kunt u om een mens vragen; uw verzoek gaat naar ons team.",
  "social.repair": "Sorry, dat was niet wat u nodig had.",
  repairInWords: "Kunt u het met andere woorden zeggen?",
  repairPerson: "Hieronder kunt u ook om een mens vragen.",
  otherLanguage: "Ik kan hier alleen in het {language} antwoorden.",
  dataGiven: "Dat kan ik hier niet opzoeken.",
  dataNamed: "Ik kan {data} hier niet opzoeken.",
  dataPassOn: "Zal ik het doorgeven?",
};
