const strings = {
  input: "Message to {bot}",
  placeholder: "Write a message…",
  send: "Send",
  stop: "Stop answering",
  close: "Close chat",
  restart: "New conversation",
  typing: "{bot} is writing",
  working: "Still working on it…",
  stopped: "Stopped.",
  notSent: "Not sent.",
  tryAgain: "Try again",
  queued: "You are offline. This goes out as soon as you are back.",
  limited: "This goes out in {time}.",
  limitedOver: "You can send again now.",
  capped: "This chat has reached its limit for the month. It is back on {date}.",
  failed: "Something went wrong on our side. Your message is kept.",
  rejected: "This message was not accepted. Change it and send it again.",
  unavailable: "This chat is not available here at the moment.",
  reference: "Reference: {id}",
  noneOfThese: "None of these",
  earlier: "Show earlier messages",
  latest: "Go to the latest message",
  you: "You",
  suggestions: "Suggested questions",
  conversation: "Conversation",
  showImage: "Show image",
  table: "Table",
  code: "Code",
  poweredBy: "Powered by {name}",
};

/** The panel's wording. `{bot}`, `{time}`, `{date}`, `{id}` and `{name}` are filled in. */
export type Strings = Record<keyof typeof strings, string>;

export default strings;
