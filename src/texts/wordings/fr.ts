import type { Wording } from "../wording.ts";

export const FRENCH: Wording = {
  welcomeMessage: "Bonjour ! Je suis {botName}. Comment puis-je vous aider ?",
  DENY_LIST: "Je suis désolé, je ne peux pas vous aider sur ce point.",
  NOT_IN_ALLOW_LIST: "Je suis désolé, {botName} n'est pas prévu pour cela.",
  no_intent_match: "Je n'ai pas bien compris. Pouvez-vous le dire autrement ?",
  didYouMean: "Vouliez-vous parler de : {choices} ?",
  noneOfThese: "Rien de tout cela",
  noneChosen: "D'accord. Pouvez-vous me dire autrement ce dont vous avez besoin ?",
  nothingMore: "Je n'ai malheureusement rien de plus à ce sujet.",
  partly: "Je n'ai malheureusement pas de réponse à « {rest} ».",
  noAnswerYet: "Je n'ai pas encore de réponse à cela.",
  mayHelp: "Ceci peut vous aider :",
  modelDown:
    "Je ne peux pas répondre à cela pour le moment. Vous pouvez laisser ici un message à une personne.",
  handoffLive: "Votre message a été transmis. Quelqu'un est là pour vous.",
  "social.greeting": "Bonjour ! Que puis-je faire pour vous ?",
  "social.thanks": "Avec plaisir ! Puis-je faire autre chose pour vous ?",
  "social.goodbye": "Au revoir et bonne journée !",
  "social.identity": "Je suis {botName}, un assistant automatique. Je ne suis pas une personne.",
  "social.help": "Je peux vous aider sur ces sujets :",
  "social.abuse":
    "Je suis désolé que ce soit agaçant. Dites-moi ce qu'il vous faut, je ferai ce que je peux.",
  "social.acknowledge": "Très bien. Écrivez-moi si vous avez besoin d'autre chose.",
  "social.person":
    "Bien sûr. Vous pouvez demander une personne ci-dessous ; votre demande est transmise à notre équipe.",
};
