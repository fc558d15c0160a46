import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "Dabei kann ich Ihnen leider nicht helfen.",
  "refusals.NOT_IN_ALLOW_LIST": "Dafür ist {botName} leider nicht zuständig.",
  "refusals.no_intent_match": "Das habe ich leider nicht verstanden. Können Sie es anders formulieren?",
  "didYouMean.one": "Meinten Sie: {choice}?",
  "didYouMean.several": "Meinten Sie: {choices}?",
  "didYouMean.list": "Was davon meinen Sie?",
  noneOfThese: "Nichts davon",
  noneChosen: "In Ordnung. Können Sie mit anderen Worten sagen, was Sie brauchen?",
  "social.greeting": "Guten Tag! Wie kann ich Ihnen helfen?",
  "social.thanks": "Gern geschehen! Kann ich sonst noch etwas für Sie tun?",
  "social.goodbye": "Auf Wiedersehen und vielen Dank für Ihren Besuch!",
  "social.identity":
    "Ich bin {botName}, ein automatischer Assistent und kein Mensch. Was kann ich für Sie tun?",
  "social.help": "Dabei kann ich helfen: {choices}. Fragen Sie einfach in Ihren eigenen Worten.",
  "social.helpWithoutChoices": "Fragen Sie einfach in Ihren eigenen Worten, ich helfe, so gut ich kann.",
  "social.abuse":
    "Es tut mir leid, wenn ich bisher keine Hilfe war. Sagen Sie mir kurz, was Sie brauchen, dann versuche ich es noch einmal.",
  "social.acknowledge": "In Ordnung. Kann ich sonst noch etwas für Sie tun?",
  partly: "Zu „{rest}“ weiß ich leider nichts.",
  handoffLive: "Jemand aus unserem Team hat diesen Chat übernommen und antwortet Ihnen hier.",
  mayHelp: "Das könnte helfen:",
  notKnown: "Darauf weiß ich leider keine Antwort.",
};

export default texts;
