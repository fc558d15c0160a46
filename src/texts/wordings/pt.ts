import type { Wording } from "../wording.ts";

export const PORTUGUESE: Wording = {
  welcomeMessage: "Olá! Sou {botName}. Em que posso ajudar?",
  DENY_LIST: "Lamento, mas não posso ajudar com isso.",
  NOT_IN_ALLOW_LIST: "Lamento, mas {botName} não está preparado para isso.",
  no_intent_match: "Desculpe, não entendi bem. Pode dizer com outras palavras?",
  didYouMean: "Quis dizer: {choices}?",
  noneOfThese: "Nenhuma destas",
  noneChosen: "Certo. Pode dizer com outras palavras o que precisa?",
  partly: "Sobre “{rest}” infelizmente não tenho resposta.",
  noAnswerYet: "Ainda não tenho resposta para isso.",
  mayHelp: "Isto pode ajudar:",
  modelDown: "De momento não consigo responder a isso. Pode deixar aqui uma mensagem para uma pessoa.",
  handoffLive: "A sua mensagem foi encaminhada. Há uma pessoa aqui para ajudar.",
  "social.greeting": "Olá! Em que posso ajudar?",
  "social.thanks": "De nada! Precisa de mais alguma coisa?",
  "social.goodbye": "Até logo e tenha um bom dia!",
  "social.identity": "Sou {botName}, um assistente automático. Não sou uma pessoa.",
  "social.help": "Posso ajudar com isto:",
  "social.abuse": "Lamento que isto seja frustrante. Diga-me o que precisa e farei o que puder.",
  "social.acknowledge": "Certo. Se precisar de mais alguma coisa, é só escrever.",
  "social.person": "Claro. Abaixo pode pedir para falar com uma pessoa; o seu pedido chega à nossa equipa.",
};
