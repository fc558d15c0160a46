import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "Mi dispiace, su questo non posso aiutarLa.",
  "refusals.NOT_IN_ALLOW_LIST": "Mi dispiace, {botName} non si occupa di questo.",
  "refusals.no_intent_match": "Mi dispiace, non ho capito bene. Può dirlo con altre parole?",
  "didYouMean.one": "Intendeva: {choice}?",
  "didYouMean.several": "Intendeva: {choices}?",
  "didYouMean.list": "Quale di queste opzioni intende?",
  noneOfThese: "Nessuna di queste",
  noneChosen: "Va bene. Può dirmi con altre parole di che cosa ha bisogno?",
  "social.greeting": "Buongiorno! Come posso aiutarLa?",
  "social.thanks": "Prego! Posso fare altro per Lei?",
  "social.goodbye": "Arrivederci e grazie della visita!",
  "social.identity":
    "Sono {botName}, un assistente automatico, non una persona. Che cosa posso fare per Lei?",
  "social.help": "Posso aiutarLa con: {choices}. Chieda pure con parole Sue.",
  "social.helpWithoutChoices": "Chieda pure con parole Sue, farò il possibile per aiutarLa.",
  "social.abuse":
    "Mi dispiace di non esserLe stato d'aiuto finora. Mi dica in breve di che cosa ha bisogno e ci riprovo.",
  "social.acknowledge": "Va bene. Posso fare altro per Lei?",
  partly: "Su «{rest}» purtroppo non ho informazioni.",
  handoffLive: "Una persona del nostro team ha preso in carico questa chat e Le risponderà qui.",
  mayHelp: "Questo può esserLe utile:",
  notKnown: "Mi dispiace, a questo non so rispondere.",
};

export default texts;
