import type { Wording } from "../wording.ts";

export const ITALIAN: Wording = {
  welcomeMessage: "Buongiorno! Sono {botName}. Come posso aiutarla?",
  DENY_LIST: "Mi dispiace, su questo non posso aiutarla.",
  NOT_IN_ALLOW_LIST: "Mi dispiace, {botName} non è predisposto per questo.",
  no_intent_match: "Mi dispiace, non ho capito bene. Può dirlo con altre parole?",
  didYouMean: "Intendeva: {choices}?",
  noneOfThese: "Nessuna di queste",
  noneChosen: "Va bene. Può dirmi con altre parole di cosa ha bisogno?",
  partly: "Su «{rest}» purtroppo non ho una risposta.",
  noAnswerYet: "Non ho ancora una risposta a questo.",
  mayHelp: "Questo potrebbe aiutare:",
  modelDown: "Al momento non posso rispondere. Può lasciare qui un messaggio per una persona.",
  actionUnsure:
    "Non so se l'operazione è andata a buon fine. Per favore non riprovare qui; una persona può verificare.",
  handoffLive: "Il suo messaggio è stato inoltrato. C'è una persona qui per lei.",
  "social.greeting": "Buongiorno! Come posso aiutarla?",
  "social.thanks": "Prego! Posso fare altro per lei?",
  "social.goodbye": "Arrivederci e buona giornata!",
  "social.identity": "Sono {botName}, un assistente automatico. Non sono una persona.",
  "social.help": "Posso aiutarla con questo:",
  "social.abuse": "Mi dispiace che sia frustrante. Mi dica di cosa ha bisogno e farò il possibile.",
  "social.acknowledge": "Va bene. Se le serve altro, mi scriva pure.",
  "social.person":
    "Certo. Qui sotto può chiedere di parlare con una persona; la sua richiesta arriva al nostro team.",
  "social.repair": "Mi dispiace, non era quello che le serviva.",
  repairInWords: "Può dirlo con altre parole?",
  repairPerson: "Qui sotto può anche chiedere di parlare con una persona.",
  otherLanguage: "Qui posso rispondere solo in {language}.",
  dataGiven: "Non posso verificarlo qui.",
  dataNamed: "Non posso verificare {data} qui.",
  dataPassOn: "Vuole che lo inoltri?",
};
