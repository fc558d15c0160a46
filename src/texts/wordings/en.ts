import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "I'm sorry, that is something I can't help with.",
  "refusals.NOT_IN_ALLOW_LIST": "I'm sorry, {botName} isn't set up to help with that.",
  "refusals.no_intent_match": "I'm sorry, I didn't quite get that. Could you say it in other words?",
  "didYouMean.one": "Did you mean: {choice}?",
  "didYouMean.several": "Did you mean: {choices}?",
  "didYouMean.list": "Which of these do you mean?",
  noneOfThese: "None of these",
  noneChosen: "All right. Could you say in other words what you need?",
  "social.greeting": "Hello! How can I help you?",
  "social.thanks": "You're welcome! Is there anything else I can do for you?",
  "social.goodbye": "Goodbye, and thank you for your visit!",
  "social.identity": "I'm {botName}, an automated assistant, not a person. What can I do for you?",
  "social.help": "I can help with: {choices}. Just ask me in your own words.",
  "social.helpWithoutChoices": "Just ask me in your own words, and I'll do my best to help.",
  "social.abuse": "I'm sorry if I wasn't any help so far. Tell me briefly what you need, and I'll try again.",
  "social.acknowledge": "All right. Is there anything else I can do for you?",
  partly: "About “{rest}” I don't know anything, I'm afraid.",
  handoffLive: "A colleague has taken over this chat and will answer you here.",
  mayHelp: "This may help:",
  notKnown: "I'm sorry, I don't know the answer to that.",
};

export default texts;
