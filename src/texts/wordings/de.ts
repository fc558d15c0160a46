import type { Wording } from "../wording.ts";

export const GERMAN: Wording = {
  welcomeMessage: "Guten Tag! Ich bin {botName}. Wie kann ich Ihnen helfen?",
  DENY_LIST: "Dabei kann ich Ihnen leider nicht helfen.",
  NOT_IN_ALLOW_LIST: "Dafür ist {botName} leider nicht eingerichtet.",
  no_intent_match: "Das habe ich leider nicht verstanden. Können Sie es anders sagen?",
  didYouMean: "Meinten Sie: {choices}?",
  noneOfThese: "Nichts davon",
  noneChosen: "Alles klar. Können Sie mir mit anderen Worten sagen, was Sie brauchen?",
  nothingMore: "Dazu habe ich leider nichts weiter.",
  partly: "Zu „{rest}“ habe ich leider keine Antwort.",
  noAnswerYet: "Darauf habe ich noch keine Antwort.",
  mayHelp: "Das könnte weiterhelfen:",
  modelDown: "Das kann ich gerade nicht beantworten. Sie können hier jemandem eine Nachricht hinterlassen.",
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
};
