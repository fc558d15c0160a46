import { h, type RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { HandoffDetail } from "../../../domain/operator/handoffs.ts";
import { ask } from "../../api/client.ts";
import { endReply, replyTo, writeReply } from "../../draft/replies.ts";
import { CONTROL_ENTER } from "../../keys.ts";
import { Button, GuardedButton, whyOff } from "../../parts/button.tsx";
import { useAction } from "../../use-action.ts";

interface ComposerProps {
  handoff: HandoffDetail;
  /** Another action on the hand-off is running. */
  isBusy: boolean;
  /** Set when the operator has taken over here: the field then gets the focus, once. */
  hasTaken: RefObject<boolean>;
  onTake: () => void;
  onSaid: () => void;
}

/** The text field for replies. Unsent text stays even if the operator's lease ends while typing. */
export function Composer({
  handoff: { id, state, mayTake },
  isBusy,
  hasTaken,
  onTake,
  onSaid,
}: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { text } = replyTo(id);
  const isLive = state === "live";
  const mayNot = whyOff("handoffs.answer") !== undefined;
  const sending = useAction(async () => {
    const reply = replyTo(id);
    if (reply.text.trim() === "" || mayNot || !isLive) return;
    try {
      await ask(
        "POST /handoffs/:id/messages",
        { path: { id }, body: { text: reply.text } },
        { idempotencyKey: reply.key },
      );
      endReply(id, reply.text);
    } finally {
      onSaid();
    }
  }, "Not sent");
  useEffect(() => {
    if (!isLive || !hasTaken.current) return;
    hasTaken.current = false;
    field.current?.focus();
  }, [isLive]);
  if (!isLive && text === "") return null;
  return (
    <div class="chat-foot">
      {!isLive && <p role="status">{whyNotSent(state, mayTake)}</p>}
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          sending.run();
        }}
      >
        <textarea
          ref={field}
          class="textarea"
          rows={3}
          maxLength={4000}
          dir="auto"
          aria-label="Write to the visitor"
          placeholder="Write to the visitor"
          value={text}
          disabled={mayNot}
          onInput={(event) => writeReply(id, event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) sending.run();
          }}
        />
        <div class="actions">
          <span class="end" />
          {!isLive && (
            <Button kind="quiet" onClick={() => writeReply(id, "")}>
              Discard
            </Button>
          )}
          {state === "open" && mayTake && (
            <GuardedButton permission="handoffs.answer" kind="primary" onClick={onTake} disabled={isBusy}>
              Take over again
            </GuardedButton>
          )}
          {isLive && (
            <GuardedButton
              permission="handoffs.answer"
              kind="primary"
              keyName={CONTROL_ENTER}
              onClick={sending.run}
              disabled={sending.isBusy}
            >
              Send
            </GuardedButton>
          )}
        </div>
      </form>
    </div>
  );
}

function whyNotSent(state: HandoffDetail["state"], mayTake: boolean): string {
  if (state === "closed") return "Not sent: the hand-off was closed in the meantime.";
  if (!mayTake) return "Not sent: operators can no longer join conversations of this bot.";
  return "Not sent: the bot is answering again, as 15 minutes passed or the conversation was given back. Take over again to send this.";
}
