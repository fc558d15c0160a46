import { HANDOFF_FIELDS } from "../domain/handoff.ts";
import { stateInWords } from "../domain/transcript.ts";
import type { HandoffNotice, Said } from "./notice.ts";

/** An e-mail, plain text alone. */
export interface Letter {
  subject: string;
  text: string;
  /** The visitor's address, where it is one that a header may hold. */
  replyTo?: string;
}

/** What stands in a header is one line; a visitor must not add another. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,64}@[a-z0-9.-]{1,255}$/i;
const LABELS = { name: "Name", email: "E-mail", phone: "Phone", message: "Message" } as const;

/** The letter that tells of a hand-off. Pure. */
export function letterOf({ data }: HandoffNotice): Letter {
  const { botName, conversationId, fields, transcript = [], isUpdate = false } = data;
  const given = HANDOFF_FIELDS.filter((field) => fields[field] !== undefined);
  const paragraphs = [
    isUpdate
      ? `A visitor of ${oneLine(botName)} who asks for a person has written more. This is all of it:`
      : `A visitor of ${oneLine(botName)} asks for a person.`,
    given
      .map((field) => `${LABELS[field]}: ${field === "message" ? fields[field] : oneLine(fields[field]!)}`)
      .join("\n"),
    ...transcript.flatMap(paragraphsOf),
    `Conversation: ${conversationId}`,
  ];
  const { email = "" } = fields;
  return {
    subject: `${isUpdate ? "More from a visitor who" : "A visitor"} asks for a person (${oneLine(botName)})`,
    text: `${paragraphs.filter((paragraph) => paragraph !== "").join("\n\n")}\n`,
    ...(ADDRESS.test(email) && { replyTo: email }),
  };
}

function paragraphsOf(said: Said): string[] {
  if ("state" in said) {
    const { operator: name, state: text } = said;
    return [`(${stateInWords({ text, ...(name !== undefined && { name }) })})`];
  }
  const who = "operator" in said ? said.operator : "Bot";
  return [
    ...("input" in said ? [`Visitor: ${said.input}`] : []),
    ...("response" in said ? [`${who}: ${said.response}`] : []),
  ];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
