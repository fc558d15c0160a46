import { Fragment, h } from "preact";
import { useRef, useState } from "preact/hooks";

import type { HandoffEvent } from "../../../domain/handoff.ts";
import type { HandoffDetail } from "../../../domain/operator/handoffs.ts";
import { ask } from "../../api/client.ts";
import { asProblem, useResource } from "../../api/resource.ts";
import { botName } from "../../bots.ts";
import { GuardedButton, WhyOff, whyOff } from "../../parts/button.tsx";
import { Read } from "../../parts/states.tsx";
import { drawPieces } from "../../parts/visitor-text.tsx";
import { say, sayFault } from "../../toasts.ts";
import { useSteadily } from "../../use-steadily.ts";
import { fullMoment, moment } from "../../words/times.ts";
import { nameOf } from "./name-of.ts";
import { Event, SaidToBot } from "./said.tsx";
import { StateBadge } from "./state-badge.tsx";

const LOOK_EVERY_MS = 1500;
const LABELS = { name: "Name", email: "E-mail", phone: "Phone", message: "Message" } as const;

type Act = "take" | "release" | "close";

const DONE: Readonly<Record<Act, string>> = {
  take: "You are there. The bot is silent until you give the conversation back, or 15 minutes after your last word.",
  release: "The bot answers again. It stands under “Given back” until it is closed.",
  close: "Closed. The visitor may ask again.",
};

/** One visitor: what they left, what is said, and the way to answer. */
export function HandoffPane({ id, onChanged }: { id: string; onChanged: () => void }) {
  const known = useRef<readonly HandoffEvent[]>([]);
  const read = useResource(`handoff ${id}`, async (signal) => {
    const path = { path: { id } };
    const after = known.current.at(-1)?.number ?? 0;
    const [handoff, { items }] = await Promise.all([
      ask("GET /handoffs/:id", path, { signal }),
      ask("GET /handoffs/:id/events", { ...path, query: { after } }, { signal }),
    ]);
    known.current = withNews(known.current, items);
    return { handoff, events: known.current };
  });
  useSteadily(read, LOOK_EVERY_MS);
  const act = async (what: Act) => {
    try {
      await ask(`POST /handoffs/:id/${what}`, { path: { id } });
      say(DONE[what]);
    } catch (error) {
      sayFault(`That did not work: ${asProblem(error).message}`);
    }
    read.reload();
    onChanged();
  };
  return (
    <section class="pane" aria-labelledby="h-handoff" tabIndex={0}>
      <a class="only-phone small" href="/handoffs">
        ← Hand-offs
      </a>
      <Read what="the hand-off" from={read}>
        {({ handoff, events }) => (
          <Fragment>
            <Head handoff={handoff} onAct={(what) => void act(what)} />
            <Left handoff={handoff} />
            <SaidToBot conversationId={handoff.conversationId} state={handoff.state} />
            <div class="chat-lines" role="log" aria-label="What is said">
              {events.map((event) => (
                <Event key={event.number} event={event} />
              ))}
            </div>
            {handoff.state === "live" && <Composer id={id} onSaid={read.reload} />}
          </Fragment>
        )}
      </Read>
    </section>
  );
}

/** Two looks may bring the same. */
function withNews(known: readonly HandoffEvent[], items: readonly HandoffEvent[]): readonly HandoffEvent[] {
  const last = known.at(-1)?.number ?? 0;
  return [...known, ...items.filter(({ number }) => number > last)];
}

function Head({ handoff, onAct }: { handoff: HandoffDetail; onAct: (what: Act) => void }) {
  const { state, bot, conversationId, createdAt, mayTake } = handoff;
  return (
    <Fragment>
      <div class="pane-head">
        <h2 id="h-handoff" dir="auto" title={fullMoment(createdAt)}>
          {drawPieces(nameOf(handoff))}
        </h2>
        <span class="small faint under">
          <StateBadge handoff={handoff} /> · <bdi>{botName(bot)}</bdi> · {moment(createdAt)} ·{" "}
          <a href={`/deliveries?${new URLSearchParams({ conversation: conversationId })}`}>Who was told</a>
        </span>
        <span class="end" />
        {state === "open" && mayTake && (
          <GuardedButton permission="handoffs.answer" kind="primary" onClick={() => onAct("take")}>
            Take over
          </GuardedButton>
        )}
        {state === "live" && (
          <GuardedButton permission="handoffs.answer" onClick={() => onAct("release")}>
            Give back to the bot
          </GuardedButton>
        )}
        {state !== "closed" && (
          <GuardedButton permission="handoffs.answer" kind="quiet" onClick={() => onAct("close")}>
            Close
          </GuardedButton>
        )}
      </div>
      <WhyOff permission="handoffs.answer" />
      {state === "open" && !mayTake && (
        <p class="small faint">
          This bot lets nobody into the conversation (<code>handoff.live: false</code>): answer by what the
          visitor left.
        </p>
      )}
    </Fragment>
  );
}

/** What the visitor filled in. */
function Left({ handoff: { fields, sharesTranscript } }: { handoff: HandoffDetail }) {
  const given = (Object.keys(LABELS) as (keyof typeof LABELS)[]).filter((name) => fields[name] !== undefined);
  return (
    <dl class="facts left-behind">
      {given.map((name) => (
        <Fragment key={name}>
          <dt>{LABELS[name]}</dt>
          <dd dir="auto">{drawPieces(fields[name]!)}</dd>
        </Fragment>
      ))}
      <dt>In webhooks and e-mails</dt>
      <dd>{sharesTranscript ? "with the conversation" : "without the conversation"}</dd>
    </dl>
  );
}

/** `crypto.randomUUID` is there in secure contexts alone. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** What is not sent stays. */
function Composer({ id, onSaid }: { id: string; onSaid: () => void }) {
  const [text, setText] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  /** Of what is written now: where no answer came it may be there already. */
  const key = useRef(newKey());
  const mayNot = whyOff("handoffs.answer") !== undefined;
  const send = async () => {
    if (text.trim() === "" || isBusy || mayNot) return;
    setIsBusy(true);
    try {
      await ask(
        "POST /handoffs/:id/messages",
        { path: { id }, body: { text } },
        { idempotencyKey: key.current },
      );
      key.current = newKey();
      setText("");
      onSaid();
    } catch (error) {
      sayFault(`Not sent: ${asProblem(error).message}`);
    }
    setIsBusy(false);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        class="textarea"
        rows={3}
        maxLength={4000}
        dir="auto"
        aria-label="Write to the visitor"
        placeholder="Write to the visitor. Ctrl ↵ sends."
        value={text}
        disabled={mayNot}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
        }}
      />
      <div class="actions">
        <span class="end" />
        <GuardedButton
          permission="handoffs.answer"
          kind="primary"
          onClick={() => void send()}
          disabled={isBusy}
        >
          Send
        </GuardedButton>
      </div>
    </form>
  );
}
