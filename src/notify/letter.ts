import { HANDOFF_FIELDS, type HandoffFields } from "../domain/handoff.ts";
import { stateInWords } from "../domain/transcript.ts";
import type { HandoffNotice, Said } from "./notice.ts";

/** An e-mail in plain text. */
export interface Letter {
  subject: string;
  text: string;
  /** The visitor's address, if a header may hold it. */
  replyTo?: string;
}

/** A header must be one line; otherwise a visitor could add another. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,64}@[a-z0-9.-]{1,255}$/i;
const LABELS = { name: "Name", email: "E-mail", phone: "Phone", message: "Message" } as const;

/** The e-mail for one or several hand-off notices. Pure. */
export function letterOf(notices: readonly [HandoffNotice, ...HandoffNotice[]]): Letter {
  return notices.length === 1 ? letterOfOne(notices[0]) : letterOfMany(notices);
}

/** Maximum length of a message in an e-mail with several notices, in characters. Chosen by hand. */
const MAX_MESSAGE_LENGTH = 300;

/** Lists each visitor with their form; transcripts would make the e-mail too long. */
function letterOfMany(notices: readonly HandoffNotice[]): Letter {
  const bots = [...new Set(notices.map(({ data }) => oneLine(data.botName)))];
  const paragraphs = [
    `${notices.length} visitors of ${bots.join(", ")} ask for a person. The console has what was said, and everybody who waits.`,
    ...notices.map(({ timestamp, data }, index) =>
      [
        `${index + 1}. ${oneLine(data.botName)}, ${timestamp}${data.isUpdate ? ": has written more" : ""}`,
        ...fieldLines({
          ...data.fields,
          ...(data.fields.message && { message: excerpt(data.fields.message) }),
        }),
        ...placeLines(data),
      ].join("\n"),
    ),
  ];
  return {
    subject: `${notices.length} visitors ask for a person (${bots.join(", ").slice(0, 100)})`,
    text: `${paragraphs.join("\n\n")}\n`,
  };
}

function excerpt(message: string): string {
  return message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH)}…`;
}

function letterOfOne({ data }: HandoffNotice): Letter {
  const { botName, fields, transcript = [], isUpdate = false } = data;
  const paragraphs = [
    isUpdate
      ? `A visitor of ${oneLine(botName)} who asks for a person has written more. This is all of it:`
      : `A visitor of ${oneLine(botName)} asks for a person.`,
    fieldLines(fields).join("\n"),
    ...transcript.flatMap(paragraphsOf),
    placeLines(data).join("\n"),
  ];
  const { email = "" } = fields;
  return {
    subject: `${isUpdate ? "More from a visitor who" : "A visitor"} asks for a person (${oneLine(botName)})`,
    text: `${paragraphs.filter((paragraph) => paragraph !== "").join("\n\n")}\n`,
    ...(ADDRESS.test(email) && { replyTo: email }),
  };
}

/** Where to answer, after everything that the visitor wrote. */
function placeLines({ conversationId, link }: HandoffNotice["data"]): string[] {
  return [`Conversation: ${conversationId}`, ...(link === undefined ? [] : [`Answer: ${link}`])];
}

function fieldLines(fields: HandoffFields): string[] {
  const given = HANDOFF_FIELDS.filter((field) => fields[field] !== undefined);
  return given.map(
    (field) => `${LABELS[field]}: ${field === "message" ? quoted(fields[field]!) : oneLine(fields[field]!)}`,
  );
}

function paragraphsOf(said: Said): string[] {
  if ("state" in said) {
    const { operator: name, state: text } = said;
    return [`(${stateInWords({ text, ...(name !== undefined && { name }) })})`];
  }
  const who = "operator" in said ? oneLine(said.operator) : "Bot";
  return [
    ...("input" in said ? [`Visitor: ${quoted(said.input)}`] : []),
    ...("response" in said ? [`${who}: ${quoted(said.response)}`] : []),
  ];
}

/** Characters that a mail program shows as a line end. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

/** A visitor's text could imitate a line of the e-mail itself, such as `Bot: …`, so each line except the first begins with a bar. */
function quoted(text: string): string {
  return text.split(LINE_END).join("\n| ");
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\u0085]+/gu, " ");
}
