import type { Wording } from "../wording.ts";

export const TURKISH: Wording = {
  welcomeMessage: "Merhaba! Ben {botName}. Size nasıl yardımcı olabilirim?",
  DENY_LIST: "Üzgünüm, bu konuda yardımcı olamıyorum.",
  NOT_IN_ALLOW_LIST: "Üzgünüm, {botName} bu konuda yardımcı olmak için ayarlanmadı.",
  no_intent_match: "Üzgünüm, tam anlayamadım. Başka sözcüklerle söyler misiniz?",
  didYouMean: "Şunu mu demek istediniz: {choices}?",
  noneOfThese: "Hiçbiri",
  noneChosen: "Tamam. Neye ihtiyacınız olduğunu başka sözcüklerle yazar mısınız?",
  partly: "“{rest}” için ne yazık ki bir yanıtım yok.",
  noAnswerYet: "Buna henüz bir yanıtım yok.",
  mayHelp: "Bu yardımcı olabilir:",
  modelDown: "Şu anda buna yanıt veremiyorum. Buradan bir yetkiliye mesaj bırakabilirsiniz.",
  actionUnsure:
    "Bunun gerçekleşip gerçekleşmediğini bilmiyorum. Lütfen burada tekrar denemeyin; bir yetkili kontrol edebilir.",
  handoffLive: "Mesajınız iletildi. Size yardımcı olacak biri burada.",
  "social.greeting": "Merhaba! Size nasıl yardımcı olabilirim?",
  "social.thanks": "Rica ederim! Başka bir şey var mı?",
  "social.goodbye": "Hoşça kalın, iyi günler!",
  "social.identity": "Ben {botName}, otomatik bir asistanım. İnsan değilim.",
  "social.help": "Şu konularda yardımcı olabilirim:",
  "social.abuse": "Can sıkıcı olduğu için üzgünüm. Neye ihtiyacınız olduğunu yazın, elimden geleni yapayım.",
  "social.acknowledge": "Tamam. Başka bir şey olursa yazmanız yeterli.",
  "social.person":
    "Elbette. Aşağıdan bir kişiyle görüşmek istediğinizi bildirebilirsiniz; talebiniz ekibimize ulaşır.",
  "social.repair": "Üzgünüm, aradığınız bu değildi.",
  repairInWords: "Başka sözcüklerle yazar mısınız?",
  repairPerson: "Aşağıdan bir kişiyle görüşmeyi de isteyebilirsiniz.",
  otherLanguage: "Burada yalnızca şu dilde yanıt verebilirim: {language}.",
  dataGiven: "Buna buradan bakamıyorum.",
  dataNamed: "{data} bilgisine buradan bakamıyorum.",
  dataPassOn: "İletmemi ister misiniz?",
};
