import { signal } from "@preact/signals";

/** What an operator writes to a visitor and has not sent. */
export interface Reply {
  readonly text: string;
  /** Its idempotency key: where no answer came when it was sent, the visitor may have it already. */
  readonly key: string;
}

const STORED = "parley-replies";

interface Kept {
  operator: string;
  replies: Readonly<Record<string, Reply>>;
}

/** By hand-off, in the tab's own storage, too, so that a reload keeps them. Whoever else signs in here never sees them. */
const kept = signal<Kept>({ operator: "", replies: {} });

/** `crypto.randomUUID` is there in secure contexts alone. */
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Takes up what this operator was writing, as before a reload; what somebody else was writing goes. */
export function openReplies(operator: string): void {
  if (kept.peek().operator === operator) return;
  const stored = JSON.parse(storage()?.getItem(STORED) ?? "null") as Kept | null;
  keep(stored?.operator === operator ? stored : { operator, replies: {} });
}

/** After somebody has left. */
export function forgetReplies(): void {
  keep({ operator: "", replies: {} });
}

export const hasReplies = (): boolean => Object.keys(kept.peek().replies).length > 0;

/** What is being written to a visitor. */
export const replyTo = (handoff: string): Reply => kept.value.replies[handoff] ?? { text: "", key: "" };

/** Notes what is being written. Nothing is left of an empty one. */
export function writeReply(handoff: string, text: string): void {
  const { operator, replies } = kept.peek();
  const { [handoff]: before, ...others } = replies;
  keep({
    operator,
    replies: text === "" ? others : { ...others, [handoff]: { text, key: before?.key ?? newKey() } },
  });
}

/** Takes away what was sent; what was typed meanwhile stays, and is another message. */
export function endReply(handoff: string, sent: string): void {
  const { text } = replyTo(handoff);
  writeReply(handoff, "");
  writeReply(handoff, text.startsWith(sent) ? text.slice(sent.length).trimStart() : text);
}

function keep(next: Kept): void {
  kept.value = next;
  if (Object.keys(next.replies).length === 0) storage()?.removeItem(STORED);
  else storage()?.setItem(STORED, JSON.stringify(next));
}

/** Browsers may refuse it; what is written is then kept until the page is left. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
