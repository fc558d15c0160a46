import type { Wording } from "../wording.ts";

export const ARABIC: Wording = {
  welcomeMessage: "مرحبًا! أنا {botName}. كيف يمكنني مساعدتك؟",
  DENY_LIST: "عذرًا، لا أستطيع المساعدة في هذا الأمر.",
  NOT_IN_ALLOW_LIST: "عذرًا، {botName} غير مهيأ للمساعدة في هذا الأمر.",
  no_intent_match: "عذرًا، لم أفهم ذلك جيدًا. هل يمكنك قوله بكلمات أخرى؟",
  didYouMean: "هل تقصد: {choices}؟",
  noneOfThese: "لا شيء من هذا",
  noneChosen: "حسنًا. هل يمكنك أن تخبرني بكلمات أخرى بما تحتاج إليه؟",
  partly: "ليس لدي جواب عن «{rest}» للأسف.",
  noAnswerYet: "ليس لدي جواب عن ذلك بعد.",
  mayHelp: "قد يفيدك هذا:",
  handoffLive: "تم تحويل رسالتك. هناك شخص هنا لمساعدتك.",
  "social.greeting": "مرحبًا! كيف يمكنني مساعدتك؟",
  "social.thanks": "على الرحب والسعة! هل من شيء آخر؟",
  "social.goodbye": "إلى اللقاء، ونتمنى لك يومًا سعيدًا!",
  "social.identity": "أنا {botName}، مساعد آلي ولست إنسانًا.",
  "social.help": "يمكنني مساعدتك في ما يلي:",
  "social.abuse": "يؤسفني أن الأمر مزعج. أخبرني بما تحتاج إليه وسأفعل ما أستطيع.",
  "social.acknowledge": "حسنًا. اكتب لي إن احتجت إلى شيء آخر.",
};
