import { signal } from "@preact/signals";

/** A reply to a visitor that is not sent yet. */
interface Reply {
  readonly text: string;
  /** Idempotency key. If sending got no response, the visitor may already have the message. */
  readonly key: string;
}

const STORED = "parley-replies";

interface Kept {
  operator: string;
  replies: Readonly<Record<string, Reply>>;
}

/** Replies by hand-off, also in `sessionStorage`, so that a reload keeps them. Another operator who signs in never sees them. */
const kept = signal<Kept>({ operator: "", replies: {} });

/** `crypto.randomUUID` exists only in secure contexts. */
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Restores this operator's replies after a reload, and deletes those of another operator. */
export function openReplies(operator: string): void {
  if (kept.peek().operator === operator) return;
  const stored = JSON.parse(storage()?.getItem(STORED) ?? "null") as Kept | null;
  keep(stored?.operator === operator ? stored : { operator, replies: {} });
}

/** Deletes all replies, for example after a sign-out. */
export function forgetReplies(): void {
  keep({ operator: "", replies: {} });
}

export const hasReplies = (): boolean => Object.keys(kept.peek().replies).length > 0;

/** The unsent reply to a visitor. */
export const replyTo = (handoff: string): Reply => kept.value.replies[handoff] ?? { text: "", key: "" };

/** Stores a reply. An empty reply is deleted. */
export function writeReply(handoff: string, text: string): void {
  const { operator, replies } = kept.peek();
  const { [handoff]: before, ...others } = replies;
  keep({
    operator,
    replies: text === "" ? others : { ...others, [handoff]: { text, key: before?.key ?? newKey() } },
  });
}

/** Removes the sent text. Text typed in the meantime stays, as a new message with its own key. */
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

/** Browsers may deny access to storage; replies are then kept only until the page is left. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
