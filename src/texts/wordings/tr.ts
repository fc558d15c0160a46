import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "Üzgünüm, bu konuda yardımcı olamıyorum.",
  "refusals.NOT_IN_ALLOW_LIST": "Üzgünüm, {botName} bu konuyla ilgilenmiyor.",
  "refusals.no_intent_match": "Üzgünüm, tam anlayamadım. Başka sözcüklerle söyler misiniz?",
  "didYouMean.one": "Şunu mu demek istediniz: {choice}?",
  "didYouMean.several": "Şunlardan birini mi demek istediniz: {choices}?",
  "didYouMean.list": "Bunlardan hangisini demek istediniz?",
  noneOfThese: "Hiçbiri",
  noneChosen: "Peki. Neye ihtiyacınız olduğunu başka sözcüklerle söyler misiniz?",
  "social.greeting": "Merhaba! Size nasıl yardımcı olabilirim?",
  "social.thanks": "Rica ederim! Başka bir konuda yardımcı olabilir miyim?",
  "social.goodbye": "Hoşça kalın, ziyaretiniz için teşekkürler!",
  "social.identity": "Ben {botName}, bir insan değil, otomatik bir asistanım. Sizin için ne yapabilirim?",
  "social.help":
    "Şu konularda yardımcı olabilirim: {choices}. Sorunuzu kendi sözcüklerinizle sorabilirsiniz.",
  "social.helpWithoutChoices": "Sorunuzu kendi sözcüklerinizle sorun, elimden geldiğince yardımcı olayım.",
  "social.abuse":
    "Şimdiye kadar yardımcı olamadıysam özür dilerim. Neye ihtiyacınız olduğunu kısaca yazın, yeniden deneyeyim.",
  "social.acknowledge": "Peki. Başka bir konuda yardımcı olabilir miyim?",
  partly: "“{rest}” hakkında ne yazık ki bilgim yok.",
  handoffLive: "Bu sohbeti ekibimizden biri devraldı, size burada yanıt verecek.",
  mayHelp: "Bu yardımcı olabilir:",
  notKnown: "Üzgünüm, bunun yanıtını bilmiyorum.",
};

export default texts;
