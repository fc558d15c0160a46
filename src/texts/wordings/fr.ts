import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "Je suis désolé, je ne peux pas vous aider sur ce point.",
  "refusals.NOT_IN_ALLOW_LIST": "Je suis désolé, {botName} ne s'occupe pas de cela.",
  "refusals.no_intent_match": "Je suis désolé, je n'ai pas bien compris. Pouvez-vous le dire autrement ?",
  "didYouMean.one": "Vouliez-vous dire : {choice} ?",
  "didYouMean.several": "Vouliez-vous dire : {choices} ?",
  "didYouMean.list": "De quoi s'agit-il parmi ces sujets ?",
  noneOfThese: "Aucun de ces choix",
  noneChosen: "Très bien. Pouvez-vous me dire autrement ce qu'il vous faut ?",
  "social.greeting": "Bonjour ! Comment puis-je vous aider ?",
  "social.thanks": "Je vous en prie ! Puis-je faire autre chose pour vous ?",
  "social.goodbye": "Au revoir et merci de votre visite !",
  "social.identity":
    "Je suis {botName}, un assistant automatique et non une personne. Que puis-je faire pour vous ?",
  "social.help": "Je peux vous aider sur ces sujets : {choices}. Posez votre question avec vos propres mots.",
  "social.helpWithoutChoices":
    "Posez votre question avec vos propres mots, je ferai de mon mieux pour vous aider.",
  "social.abuse":
    "Je suis désolé de ne pas vous avoir été utile. Dites-moi en quelques mots ce qu'il vous faut, et je réessaierai.",
  "social.acknowledge": "Très bien. Puis-je faire autre chose pour vous ?",
  partly: "Concernant « {rest} », je n'ai malheureusement pas d'information.",
  handoffLive: "Un membre de notre équipe a repris cette conversation et vous répondra ici.",
  mayHelp: "Ceci peut vous aider :",
  notKnown: "Je suis désolé, je ne connais pas la réponse à cette question.",
};

export default texts;
