import { h } from "preact";
import { useState } from "preact/hooks";

import type { ConversationDetails, ConversationTurn } from "../../../domain/operator/conversations.ts";
import type { HandoffRow } from "../../../domain/operator/handoffs.ts";
import { type TranscriptEntry, transcriptOf } from "../../../domain/transcript.ts";
import { ask } from "../../api/client.ts";
import { botName } from "../../bots.ts";
import { useKeys } from "../../keys.ts";
import { Button, GuardedButton, WhyOff, whyOff } from "../../parts/button.tsx";
import { copyText } from "../../parts/copyable.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { withQuery } from "../../router.ts";
import { say, sayFault } from "../../toasts.ts";
import { counted } from "../../words/numbers.ts";
import { fullMoment, moment, zone } from "../../words/times.ts";
import { AskedForPerson, PersonEvent } from "./people.tsx";
import { PassedOn, Turn } from "./turn.tsx";

interface TranscriptProps {
  conversation: ConversationDetails;
  /** Number of the turn whose receipt is shown, from 1. */
  chosen: number;
  onDeleted: () => void;
}

async function copyLink(): Promise<void> {
  if (await copyText(location.href)) say("The link is copied. Operators who are signed in can open it.");
  else sayFault("The browser did not allow copying. Copy the address from the address bar.");
}

/** The messages of a conversation. */
export function Transcript({ conversation, chosen, onDeleted }: TranscriptProps) {
  const { bot, startedAt, turns, handoffs, people } = conversation;
  const [isDeleting, setIsDeleting] = useState(false);
  const mayDelete = whyOff("conversations.delete") === undefined;
  useKeys([{ key: "#", says: "delete…", run: () => mayDelete && setIsDeleting(true) }]);
  return (
    <section class="pane" aria-labelledby="h-conversation" tabIndex={0}>
      <a class="only-phone small" href={withQuery({ turn: undefined }, listPlace())}>
        ← Conversations
      </a>
      <div class="pane-head">
        <h2 id="h-conversation" title={fullMoment(startedAt)}>
          {moment(startedAt)} {zone(startedAt)}
        </h2>
        <span class="small faint under">
          <bdi>{botName(bot)}</bdi>, version {turns.at(-1)?.botVersion ?? "–"} ·{" "}
          <code>{conversation.id}</code>
        </span>
        <span class="end" />
        <Button kind="quiet" onClick={() => void copyLink()}>
          Copy link
        </Button>
        <GuardedButton
          permission="conversations.delete"
          kind="danger"
          keyName="#"
          onClick={() => setIsDeleting(true)}
        >
          Delete…
        </GuardedButton>
      </div>
      <WhyOff permission="conversations.delete" />
      <div class="transcript">
        {transcriptOf({ turns, handoffs, events: people }).map((entry) => (
          <Entry key={keyOf(entry)} entry={entry} turns={turns} chosen={chosen} />
        ))}
      </div>
      {isDeleting && (
        <DeleteDialog
          conversation={conversation}
          onClose={() => setIsDeleting(false)}
          onDeleted={onDeleted}
        />
      )}
    </section>
  );
}

type Told = TranscriptEntry<ConversationTurn, HandoffRow>;

function keyOf(entry: Told): string {
  if (entry.kind === "event") return `event ${entry.event.number}`;
  return entry.kind === "handoff" ? entry.handoff.id : entry.turn.requestId;
}

interface EntryProps {
  entry: Told;
  turns: readonly ConversationTurn[];
  chosen: number;
}

function Entry({ entry, turns, chosen }: EntryProps) {
  if (entry.kind === "event") return <PersonEvent event={entry.event} />;
  if (entry.kind === "handoff") return <AskedForPerson handoff={entry.handoff} />;
  const number = turns.indexOf(entry.turn) + 1;
  const place = { number, isChosen: number === chosen };
  if (entry.kind === "turn") return <Turn turn={entry.turn} {...place} />;
  return <PassedOn turn={entry.turn} input={entry.input} to={entry.to} {...place} />;
}

const listPlace = () => ({ path: "/conversations", query: new URLSearchParams(location.search) });

interface DeleteProps {
  conversation: ConversationDetails;
  onClose: () => void;
  onDeleted: () => void;
}

/** Erasure cannot be undone, so it asks first. */
function DeleteDialog({ conversation: { id, turns }, onClose, onDeleted }: DeleteProps) {
  const erase = async () => {
    await ask("DELETE /conversations/:id", { path: { id } });
    say("The conversation is erased.");
    onDeleted();
  };
  return (
    <Confirm
      title="Delete this conversation?"
      does="Delete"
      fault="Not erased"
      onConfirm={erase}
      onClose={onClose}
    >
      Its {counted(turns.length, "message")}, answers, receipts and messages with operators are erased from
      the database. Counters stay. This cannot be undone. The audit records that you did it.
    </Confirm>
  );
}
