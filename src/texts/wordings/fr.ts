import type { Wording } from "../../domain/texts.ts";

export const FRENCH: Wording = {
  welcomeMessage: "Bonjour ! Je suis {botName}. Comment puis-je vous aider ?",
  DENY_LIST: "Je suis désolé, je ne peux pas vous aider sur ce point.",
  NOT_IN_ALLOW_LIST: "Je suis désolé, {botName} n'est pas prévu pour cela.",
  no_intent_match: "Je n'ai malheureusement rien à ce sujet. Pouvez-vous le dire autrement ?",
  didYouMean: "Vouliez-vous parler de : {choices} ?",
  noneOfThese: "Rien de tout cela",
  noneChosen: "D'accord. Pouvez-vous me dire autrement ce dont vous avez besoin ?",
  nothingMore: "Je n'ai malheureusement rien de plus à ce sujet.",
  partly: "Je n'ai malheureusement pas de réponse à « {rest} ».",
  noAnswerYet: "Je n'ai pas encore de réponse à cela.",
  modelDown:
    "Je ne peux pas répondre à cela pour le moment. Vous pouvez laisser ici un message à une personne.",
  actionUnsure:
    "Je ne sais pas si cela a abouti. Merci de ne pas réessayer ici ; une personne peut vérifier.",
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
  "social.repair": "Je suis désolé, ce n'était pas ce qu'il vous fallait.",
  repairInWords: "Pouvez-vous le dire avec d'autres mots ?",
  repairPerson: "Vous pouvez aussi demander une personne ci-dessous.",
  askPerson: "Parler à une personne",
  otherLanguage: "Ici, je ne peux répondre qu'en {language}.",
  dataGiven: "Je ne peux pas le vérifier ici.",
  dataNamed: "Je ne peux pas vérifier {data} ici.",
  dataPassOn: "Dois-je le transmettre ?",
};

/** Texts that differ for "tu". */
export const INFORMAL_FRENCH: Partial<Wording> = {
  welcomeMessage: "Bonjour ! Je suis {botName}. Comment puis-je t'aider ?",
  DENY_LIST: "Je suis désolé, je ne peux pas t'aider sur ce point.",
  no_intent_match: "Je n'ai malheureusement rien à ce sujet. Peux-tu le dire autrement ?",
  didYouMean: "Voulais-tu parler de : {choices} ?",
  noneChosen: "D'accord. Peux-tu me dire autrement ce dont tu as besoin ?",
  modelDown: "Je ne peux pas répondre à cela pour le moment. Tu peux laisser ici un message à une personne.",
  handoffLive: "Ton message a été transmis. Quelqu'un est là pour toi.",
  "social.greeting": "Bonjour ! Que puis-je faire pour toi ?",
  "social.thanks": "Avec plaisir ! Puis-je faire autre chose pour toi ?",
  "social.help": "Je peux t'aider sur ces sujets :",
  "social.abuse": "Je suis désolé que ce soit agaçant. Dis-moi ce qu'il te faut, je ferai ce que je peux.",
  "social.acknowledge": "Très bien. Écris-moi si tu as besoin d'autre chose.",
  "social.person":
    "Bien sûr. Tu peux demander une personne ci-dessous ; ta demande est transmise à notre équipe.",
  "social.repair": "Je suis désolé, ce n'était pas ce qu'il te fallait.",
  repairInWords: "Peux-tu le dire avec d'autres mots ?",
  repairPerson: "Tu peux aussi demander une personne ci-dessous.",
};
