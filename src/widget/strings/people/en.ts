const strings = {
  helpful: "Helpful",
  notHelpful: "Not helpful",
  why: "What was wrong? (optional)",
  thanks: "Thank you.",
  notSaved: "Not saved.",
  talk: "Talk to a person",
  name: "Name",
  email: "E-mail",
  phone: "Phone",
  message: "Message",
  share: "Include this conversation",
  away: "Nobody is there right now. We are back on {time}.",
  cancel: "Cancel",
  needsContact: "Please tell us how to reach you.",
  badEmail: "This is not an e-mail address.",
  notTaken: "Not sent. Your entries are kept.",
  asked: "Somebody will get back to you.",
  write: "We will write to {to}.",
  call: "We will call {to}.",
  here: "{name} has joined",
  botAgain: "The assistant answers again",
  closed: "Your request was closed. You can ask again.",
};

/** Wording of ratings and hand-offs. `{time}`, `{to}` and `{name}` are filled in. */
export type PeopleStrings = Record<keyof typeof strings, string>;

export default strings;
