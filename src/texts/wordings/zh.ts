import type { Wording } from "../wording.ts";

export const CHINESE: Wording = {
  welcomeMessage: "您好！我是{botName}。有什么可以帮您？",
  DENY_LIST: "抱歉，这件事我帮不上忙。",
  NOT_IN_ALLOW_LIST: "抱歉，{botName}无法处理这类问题。",
  no_intent_match: "抱歉，我没太明白。可以换个说法吗？",
  didYouMean: "您是想问：{choices}？",
  noneOfThese: "都不是",
  noneChosen: "好的。可以换个说法告诉我您需要什么吗？",
  partly: "关于“{rest}”，很抱歉我没有答案。",
  noAnswerYet: "这个问题我暂时还没有答案。",
  mayHelp: "以下内容可能有帮助：",
  modelDown: "我暂时无法回答这个问题。您可以在这里给工作人员留言。",
  handoffLive: "您的消息已转达，工作人员正在为您服务。",
  "social.greeting": "您好！有什么可以帮您？",
  "social.thanks": "不客气！还有其他需要吗？",
  "social.goodbye": "再见，祝您愉快！",
  "social.identity": "我是{botName}，一个自动助手，不是真人。",
  "social.help": "我可以帮您处理这些事：",
  "social.abuse": "很抱歉让您不愉快。请告诉我您需要什么，我会尽力帮忙。",
  "social.acknowledge": "好的。如果还有别的事，请告诉我。",
  "social.person": "好的。您可以在下方申请人工服务，您的请求会转达给我们的团队。",
};
