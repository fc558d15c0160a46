import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "抱歉，这件事我帮不上忙。",
  "refusals.NOT_IN_ALLOW_LIST": "抱歉，{botName}不负责这方面的问题。",
  "refusals.no_intent_match": "抱歉，我没太明白。您能换个说法吗？",
  "didYouMean.one": "您是不是想问：{choice}？",
  "didYouMean.several": "您是不是想问：{choices}？",
  "didYouMean.list": "您想问的是哪一项？",
  noneOfThese: "以上都不是",
  noneChosen: "好的。您能换个说法告诉我您需要什么吗？",
  "social.greeting": "您好！请问有什么可以帮您？",
  "social.thanks": "不客气！还有什么可以帮您的吗？",
  "social.goodbye": "再见，感谢您的光临！",
  "social.identity": "我是{botName}，是自动助手，不是真人。请问有什么可以帮您？",
  "social.help": "我可以解答这些问题：{choices}。请直接提问。",
  "social.helpWithoutChoices": "请直接提问，我会尽力帮您。",
  "social.abuse": "很抱歉没能帮到您。请简单说说您需要什么，我再试一次。",
  "social.acknowledge": "好的。还有什么可以帮您的吗？",
  partly: "关于“{rest}”，很抱歉我不了解。",
  handoffLive: "我们的同事已接手这次对话，会在这里回复您。",
  mayHelp: "这也许有帮助：",
  notKnown: "抱歉，我不知道这个问题的答案。",
};

export default texts;
