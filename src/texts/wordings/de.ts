import type { Wording } from "../../domain/texts.ts";

export const GERMAN: Wording = {
  welcomeMessage: "Guten Tag! Ich bin {botName}. Wie kann ich Ihnen helfen?",
  DENY_LIST: "Dabei kann ich Ihnen leider nicht helfen.",
  NOT_IN_ALLOW_LIST: "Dafür ist {botName} leider nicht eingerichtet.",
  no_intent_match: "Dazu habe ich leider nichts. Können Sie es anders sagen?",
  didYouMean: "Meinten Sie: {choices}?",
  noneOfThese: "Nichts davon",
  noneChosen: "Alles klar. Können Sie mir mit anderen Worten sagen, was Sie brauchen?",
  nothingMore: "Dazu habe ich leider nichts weiter.",
  partly: "Zu „{rest}“ habe ich leider keine Antwort.",
  noAnswerYet: "Darauf habe ich noch keine Antwort.",
  modelDown: "Das kann ich gerade nicht beantworten. Sie können hier jemandem eine Nachricht hinterlassen.",
  actionUnsure:
    "Ich weiß nicht, ob das geklappt hat. Bitte versuchen Sie es hier nicht noch einmal; jemand aus dem Team kann nachsehen.",
  handoffLive: "Ihre Nachricht ist weitergeleitet. Jemand ist für Sie da.",
  "social.greeting": "Guten Tag! Was kann ich für Sie tun?",
  "social.thanks": "Gern geschehen! Kann ich sonst noch etwas für Sie tun?",
  "social.goodbye": "Auf Wiedersehen, und einen schönen Tag noch!",
  "social.identity": "Ich bin {botName}, ein automatischer Assistent. Ich bin kein Mensch.",
  "social.help": "Dabei kann ich Ihnen helfen:",
  "social.abuse":
    "Es tut mir leid, dass es gerade ärgerlich ist. Sagen Sie mir, was Sie brauchen, dann tue ich, was ich kann.",
  "social.acknowledge": "Alles klar. Schreiben Sie einfach, wenn noch etwas ist.",
  "social.person": "Gern. Unten können Sie nach einem Menschen fragen; Ihre Anfrage geht an unser Team.",
  "social.repair": "Entschuldigung, das war nicht das, was Sie brauchten.",
  repairInWords: "Können Sie es mit anderen Worten sagen?",
  repairPerson: "Unten können Sie auch nach einem Menschen fragen.",
  askPerson: "Mit einem Menschen sprechen",
  otherLanguage: "Ich kann hier nur auf {language} antworten.",
  dataGiven: "Das kann ich hier nicht nachsehen.",
  dataNamed: "{data} kann ich hier nicht nachsehen.",
  dataPassOn: "Soll ich es weitergeben?",
};

/** Texts that differ for "du". */
export const INFORMAL_GERMAN: Partial<Wording> = {
  welcomeMessage: "Hallo! Ich bin {botName}. Wie kann ich dir helfen?",
  DENY_LIST: "Dabei kann ich dir leider nicht helfen.",
  no_intent_match: "Dazu habe ich leider nichts. Kannst du es anders sagen?",
  didYouMean: "Meintest du: {choices}?",
  noneChosen: "Alles klar. Kannst du mir mit anderen Worten sagen, was du brauchst?",
  modelDown: "Das kann ich gerade nicht beantworten. Du kannst hier jemandem eine Nachricht hinterlassen.",
  actionUnsure:
    "Ich weiß nicht, ob das geklappt hat. Bitte versuche es hier nicht noch einmal; jemand aus dem Team kann nachsehen.",
  handoffLive: "Deine Nachricht ist weitergeleitet. Jemand ist für dich da.",
  "social.greeting": "Hallo! Was kann ich für dich tun?",
  "social.thanks": "Gern geschehen! Kann ich sonst noch etwas für dich tun?",
  "social.goodbye": "Tschüss, und einen schönen Tag noch!",
  "social.help": "Dabei kann ich dir helfen:",
  "social.abuse":
    "Es tut mir leid, dass es gerade ärgerlich ist. Sag mir, was du brauchst, dann tue ich, was ich kann.",
  "social.acknowledge": "Alles klar. Schreib einfach, wenn noch etwas ist.",
  "social.person": "Gern. Unten kannst du nach einem Menschen fragen; deine Anfrage geht an unser Team.",
  "social.repair": "Entschuldige, das war nicht das, was du brauchtest.",
  repairInWords: "Kannst du es mit anderen Worten sagen?",
  repairPerson: "Unten kannst du auch nach einem Menschen fragen.",
};
