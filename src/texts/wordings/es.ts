import type { Wording } from "../wording.ts";

export const SPANISH: Wording = {
  welcomeMessage: "¡Hola! Soy {botName}. ¿En qué puedo ayudarle?",
  DENY_LIST: "Lo siento, con eso no puedo ayudarle.",
  NOT_IN_ALLOW_LIST: "Lo siento, {botName} no está preparado para ayudar con eso.",
  no_intent_match: "Lo siento, no le he entendido bien. ¿Puede decirlo con otras palabras?",
  didYouMean: "¿Se refiere a {choices}?",
  noneOfThese: "Ninguna de estas",
  noneChosen: "De acuerdo. ¿Puede decirme con otras palabras qué necesita?",
  partly: "Sobre «{rest}» no tengo respuesta, lo siento.",
  noAnswerYet: "Todavía no tengo respuesta a eso.",
  mayHelp: "Esto puede ayudar:",
  modelDown: "Ahora mismo no puedo responder a eso. Puede dejar aquí un mensaje para una persona.",
  actionUnsure:
    "No sé si se ha llevado a cabo. Por favor, no lo intentes otra vez aquí; una persona puede comprobarlo.",
  handoffLive: "Hemos pasado su mensaje. Hay una persona aquí para ayudarle.",
  "social.greeting": "¡Hola! ¿En qué puedo ayudarle?",
  "social.thanks": "¡De nada! ¿Necesita algo más?",
  "social.goodbye": "¡Hasta luego, que tenga un buen día!",
  "social.identity": "Soy {botName}, un asistente automático. No soy una persona.",
  "social.help": "Puedo ayudarle con esto:",
  "social.abuse": "Siento que esto le resulte frustrante. Dígame qué necesita y haré lo que pueda.",
  "social.acknowledge": "De acuerdo. Si necesita algo más, escríbame.",
  "social.person":
    "Por supuesto. Aquí abajo puede pedir hablar con una persona; su solicitud llega a nuestro equipo.",
  "social.repair": "Lo siento, eso no era lo que necesitaba.",
  repairInWords: "¿Puede decirlo con otras palabras?",
  repairPerson: "También puede pedir aquí abajo hablar con una persona.",
  otherLanguage: "Aquí solo puedo responder en {language}.",
  dataGiven: "Eso no lo puedo consultar aquí.",
  dataNamed: "No puedo consultar {data} aquí.",
  dataPassOn: "¿Quiere que lo transmita?",
};
