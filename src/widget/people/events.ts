import type { HandoffEvent } from "../../domain/handoff.ts";
import type { Kept } from "../conversation/transcript.ts";
import type { ParleyMessage } from "../public.d.ts";

/** Changes made by an event. */
export interface Told {
  changed: Partial<Kept>;
  /** A message that was not written here, to be announced. */
  heard?: ParleyMessage;
}

/** An answer of the bot that only says that an operator has the message. */
export const isPassedOn = ({ role, metadata }: ParleyMessage): boolean =>
  role === "bot" && metadata?.handoff?.state === "live";

/** Adds an event to the conversation; undefined if it is in it already. */
export function tell(kept: Kept, event: HandoffEvent): Told | undefined {
  const { handoff = { state: "open", heard: 0 }, messages } = kept;
  const { number, kind, text, name } = event;
  if (number <= handoff.heard) return undefined;
  const known = { ...handoff, heard: number };
  if (kind === "visitor") return { changed: { handoff: known, messages: withOwn(kept, event) } };
  const message: ParleyMessage = {
    ...placeOf(kept, event),
    role: "operator",
    text: kind === "state" ? "" : text,
    ...(name !== undefined && { name }),
    ...(kind === "state" && { state: shownState(handoff.state, text) }),
  };
  const changed = {
    handoff: kind === "state" ? { ...known, state: text } : known,
    messages: inserted(messages, message),
  };
  return kind === "state" ? { changed } : { changed, heard: message };
}

/** A hand-off closed after a live conversation shows that the bot answers again; one closed before shows that the request is closed. */
const shownState = (before: string, now: string) => (now === "closed" && before === "live" ? "open" : now);

const placeOf = ({ conversationId }: Kept, { number, at }: HandoffEvent) => ({
  id: `${conversationId}.${number}`,
  at,
  number,
});

/** The visitor's own message with its number; one written on another page is added. */
function withOwn(kept: Kept, event: HandoffEvent): readonly ParleyMessage[] {
  const { messages } = kept;
  const { number, text } = event;
  const isIt = (message: ParleyMessage, at: number) => {
    const next = messages[at + 1];
    const mayBeIt = message.role === "visitor" && !message.number && message.text === text;
    return mayBeIt && (next?.role !== "bot" || isPassedOn(next));
  };
  const at = messages.findIndex(isIt);
  if (at < 0) return inserted(messages, { ...placeOf(kept, event), role: "visitor", text });
  // The message marked as not sent was received after all.
  const { unsent: _, ...own } = messages[at]!;
  return messages.with(at, { ...own, number });
}

/** Inserts at the end, but before an unsent message of the visitor: it is retried only as the last message. */
function inserted(messages: readonly ParleyMessage[], message: ParleyMessage): readonly ParleyMessage[] {
  const last = messages.at(-1);
  const isOpen = last?.role === "visitor" && !last.number && !last.unsent;
  return messages.toSpliced(isOpen ? -1 : messages.length, 0, message);
}
