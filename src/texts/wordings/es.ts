import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "Lo siento, con eso no puedo ayudarle.",
  "refusals.NOT_IN_ALLOW_LIST": "Lo siento, {botName} no se ocupa de eso.",
  "refusals.no_intent_match": "Lo siento, no le he entendido bien. ¿Puede decirlo con otras palabras?",
  "didYouMean.one": "¿Quiso decir: {choice}?",
  "didYouMean.several": "¿Quiso decir: {choices}?",
  "didYouMean.list": "¿A cuál de estas opciones se refiere?",
  noneOfThese: "Ninguna de estas",
  noneChosen: "De acuerdo. ¿Puede decirme con otras palabras qué necesita?",
  "social.greeting": "¡Hola! ¿En qué puedo ayudarle?",
  "social.thanks": "¡De nada! ¿Puedo ayudarle en algo más?",
  "social.goodbye": "¡Hasta luego y gracias por su visita!",
  "social.identity": "Soy {botName}, un asistente automático, no una persona. ¿En qué puedo ayudarle?",
  "social.help": "Puedo ayudarle con: {choices}. Pregunte con sus propias palabras.",
  "social.helpWithoutChoices": "Pregunte con sus propias palabras y haré lo posible por ayudarle.",
  "social.abuse":
    "Siento no haberle sido de ayuda hasta ahora. Dígame en pocas palabras qué necesita y lo intentaré de nuevo.",
  "social.acknowledge": "De acuerdo. ¿Puedo ayudarle en algo más?",
  partly: "Sobre «{rest}» no tengo información, lo siento.",
  handoffLive: "Una persona de nuestro equipo se ha hecho cargo de este chat y le responderá aquí.",
  mayHelp: "Esto puede ayudarle:",
  notKnown: "Lo siento, no sé la respuesta a eso.",
};

export default texts;
