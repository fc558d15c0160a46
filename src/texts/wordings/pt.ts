import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "Lamento, mas nisso não posso ajudar.",
  "refusals.NOT_IN_ALLOW_LIST": "Lamento, mas {botName} não trata desse assunto.",
  "refusals.no_intent_match": "Desculpe, não percebi bem. Pode dizer por outras palavras?",
  "didYouMean.one": "Quis dizer: {choice}?",
  "didYouMean.several": "Quis dizer: {choices}?",
  "didYouMean.list": "A qual destas opções se refere?",
  noneOfThese: "Nenhuma destas",
  noneChosen: "Está bem. Pode dizer por outras palavras de que precisa?",
  "social.greeting": "Olá! Como posso ajudar?",
  "social.thanks": "De nada! Posso ajudar em mais alguma coisa?",
  "social.goodbye": "Até à próxima e obrigado pela visita!",
  "social.identity": "Sou {botName}, um assistente automático, não uma pessoa. Em que posso ajudar?",
  "social.help": "Posso ajudar com: {choices}. Pergunte por palavras suas.",
  "social.helpWithoutChoices": "Pergunte por palavras suas e farei o possível para ajudar.",
  "social.abuse":
    "Lamento não ter ajudado até agora. Diga em poucas palavras de que precisa e tento outra vez.",
  "social.acknowledge": "Está bem. Posso ajudar em mais alguma coisa?",
  partly: "Sobre “{rest}” infelizmente não tenho informação.",
  handoffLive: "Uma pessoa da nossa equipa assumiu esta conversa e vai responder aqui.",
  mayHelp: "Isto pode ajudar:",
  notKnown: "Lamento, não sei a resposta a essa pergunta.",
};

export default texts;
