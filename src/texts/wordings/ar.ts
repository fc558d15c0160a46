import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "عذرًا، لا يمكنني المساعدة في هذا الأمر.",
  "refusals.NOT_IN_ALLOW_LIST": "عذرًا، هذا الموضوع ليس من اختصاص {botName}.",
  "refusals.no_intent_match": "عذرًا، لم أفهم ذلك جيدًا. هل يمكنك قوله بكلمات أخرى؟",
  "didYouMean.one": "هل تقصد: {choice}؟",
  "didYouMean.several": "هل تقصد: {choices}؟",
  "didYouMean.list": "أيًّا من هذه تقصد؟",
  noneOfThese: "لا شيء مما سبق",
  noneChosen: "حسنًا. هل يمكنك أن تقول بكلمات أخرى ما الذي تحتاج إليه؟",
  "social.greeting": "مرحبًا! كيف يمكنني مساعدتك؟",
  "social.thanks": "على الرحب والسعة! هل هناك شيء آخر يمكنني المساعدة فيه؟",
  "social.goodbye": "إلى اللقاء، وشكرًا على زيارتك!",
  "social.identity": "أنا {botName}، مساعد آلي ولست شخصًا. كيف يمكنني مساعدتك؟",
  "social.help": "يمكنني المساعدة في: {choices}. اطرح سؤالك بكلماتك الخاصة.",
  "social.helpWithoutChoices": "اطرح سؤالك بكلماتك الخاصة، وسأبذل جهدي للمساعدة.",
  "social.abuse": "آسف لأنني لم أتمكن من مساعدتك حتى الآن. اكتب باختصار ما الذي تحتاج إليه، وسأحاول مرة أخرى.",
  "social.acknowledge": "حسنًا. هل هناك شيء آخر يمكنني المساعدة فيه؟",
  partly: "ليست لدي معلومات عن «{rest}» للأسف.",
  handoffLive: "تولى أحد أفراد فريقنا هذه المحادثة وسيجيبك هنا.",
  mayHelp: "قد يفيدك هذا:",
  notKnown: "عذرًا، لا أعرف الإجابة عن ذلك.",
};

export default texts;
