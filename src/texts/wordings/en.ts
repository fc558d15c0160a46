import type { Wording } from "../wording.ts";

export const ENGLISH: Wording = {
  welcomeMessage: "Hi! I'm {botName}. How can I help?",
  DENY_LIST: "I'm sorry, that is something I can't help with.",
  NOT_IN_ALLOW_LIST: "I'm sorry, {botName} isn't set up to help with that.",
  no_intent_match: "I'm sorry, I didn't quite get that. Could you say it in other words?",
  didYouMean: "Did you mean: {choices}?",
  noneOfThese: "None of these",
  noneChosen: "Alright. Could you tell me in other words what you need?",
  partly: "I have no answer to “{rest}”, I'm afraid.",
  noAnswerYet: "I don't have an answer to that yet.",
  mayHelp: "This may help:",
  modelDown: "I cannot answer that at the moment. You can leave a message for a person here.",
  handoffLive: "Your message has been passed on. Somebody is here for you.",
  "social.greeting": "Hello! What can I do for you?",
  "social.thanks": "You're welcome! Is there anything else?",
  "social.goodbye": "Goodbye, and have a good day!",
  "social.identity": "I'm {botName}, an automated assistant. I'm not a person.",
  "social.help": "I can help you with this:",
  "social.abuse": "I'm sorry this is frustrating. Tell me what you need, and I'll do what I can.",
  "social.acknowledge": "Alright. Just write if there is anything else.",
  "social.person": "Of course. You can ask for a person below; your request goes to our team.",
};
