import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "Daar kan ik u helaas niet mee helpen.",
  "refusals.NOT_IN_ALLOW_LIST": "Daar gaat {botName} helaas niet over.",
  "refusals.no_intent_match": "Dat heb ik helaas niet goed begrepen. Kunt u het anders zeggen?",
  "didYouMean.one": "Bedoelde u: {choice}?",
  "didYouMean.several": "Bedoelde u: {choices}?",
  "didYouMean.list": "Welke van deze bedoelt u?",
  noneOfThese: "Geen van deze",
  noneChosen: "Goed. Kunt u in andere woorden zeggen wat u nodig hebt?",
  "social.greeting": "Goedendag! Hoe kan ik u helpen?",
  "social.thanks": "Graag gedaan! Kan ik nog iets voor u doen?",
  "social.goodbye": "Tot ziens en bedankt voor uw bezoek!",
  "social.identity": "Ik ben {botName}, een automatische assistent, geen mens. Wat kan ik voor u doen?",
  "social.help": "Hiermee kan ik u helpen: {choices}. Stel uw vraag gerust in uw eigen woorden.",
  "social.helpWithoutChoices":
    "Stel uw vraag gerust in uw eigen woorden, dan doe ik mijn best om u te helpen.",
  "social.abuse":
    "Het spijt me dat ik u nog niet heb kunnen helpen. Zeg kort wat u nodig hebt, dan probeer ik het opnieuw.",
  "social.acknowledge": "Goed. Kan ik nog iets voor u doen?",
  partly: "Over “{rest}” weet ik helaas niets.",
  handoffLive: "Een collega heeft deze chat overgenomen en antwoordt u hier.",
  mayHelp: "Dit kan u helpen:",
  notKnown: "Daar weet ik helaas het antwoord niet op.",
};

export default texts;
