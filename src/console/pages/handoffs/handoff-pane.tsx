import { Fragment, h } from "preact";
import { useRef } from "preact/hooks";

import type { HandoffEvent } from "../../../domain/handoff.ts";
import type { HandoffActions, HandoffDetail } from "../../../domain/operator/handoffs.ts";
import { ask } from "../../api/client.ts";
import { session } from "../../api/connection.ts";
import { rethrow } from "../../api/problem.ts";
import { useResource } from "../../api/resource.ts";
import { botName } from "../../bots.ts";
import { GuardedButton, WhyOff } from "../../parts/button.tsx";
import { Read } from "../../parts/states.tsx";
import { drawPieces } from "../../parts/text.tsx";
import { say } from "../../toasts.ts";
import { useAction } from "../../use-action.ts";
import { useSteadily } from "../../use-pages.tsx";
import { fullMoment, moment } from "../../words/times.ts";
import { Composer } from "./composer.tsx";
import { ContactDetails, nameOf, StateBadge } from "./row.tsx";
import { Event, SaidToBot } from "./said.tsx";

const LOOK_EVERY_MS = 1500;

type Act = "take" | "release" | "close";

const DONE: Readonly<Record<Act, string>> = {
  take: "You have joined. The bot is silent until you give the conversation back, or until 15 minutes after your last message.",
  release: "The bot answers again. The hand-off stays under “Given back” until it is closed.",
  close: "Closed. The visitor can ask for a person again.",
};

/** One hand-off: the contact details, the conversation and the reply field. */
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
  const hasTaken = useRef(false);
  const acting = useAction(async (what: Act, from?: string) => {
    try {
      if (what === "take") {
        await take(id, from);
        hasTaken.current = true;
      } else await ask(`POST /handoffs/:id/${what}`, { path: { id } });
      say(DONE[what]);
    } finally {
      read.reload();
      onChanged();
    }
  }, "Not done");
  return (
    <section class="pane" aria-labelledby="h-handoff" tabIndex={0}>
      <a class="only-phone small" href="/handoffs">
        ← Hand-offs
      </a>
      <Read what="the hand-off" from={read}>
        {({ handoff, events }) => (
          <Fragment>
            <Head handoff={handoff} isBusy={acting.isBusy} onAct={acting.run} />
            <Left handoff={handoff} />
            {handoff.actions && <Actions actions={handoff.actions} />}
            <SaidToBot conversationId={handoff.conversationId} state={handoff.state} />
            <div class="chat-lines" role="log" aria-label="Conversation">
              {events.map((event) => (
                <Event key={event.number} event={event} />
              ))}
            </div>
            <Composer
              handoff={handoff}
              isBusy={acting.isBusy}
              hasTaken={hasTaken}
              onTake={() => acting.run("take")}
              onSaid={read.reload}
            />
          </Fragment>
        )}
      </Read>
    </section>
  );
}

/** Joins a conversation. @param from the colleague who has it. @throws Problem; if a colleague was faster, it names them. */
async function take(id: string, from: string | undefined): Promise<void> {
  await ask("POST /handoffs/:id/take", { path: { id }, query: { from } }).catch(
    rethrow(409, async () => {
      const { operator } = await ask("GET /handoffs/:id", { path: { id } });
      return `${operator ?? "Somebody"} has already taken over this conversation.`;
    }),
  );
}

/** Two requests may bring the same events. */
function withNews(known: readonly HandoffEvent[], items: readonly HandoffEvent[]): readonly HandoffEvent[] {
  const last = known.at(-1)?.number ?? 0;
  return [...known, ...items.filter(({ number }) => number > last)];
}

interface HeadProps {
  handoff: HandoffDetail;
  isBusy: boolean;
  onAct: (what: Act, from?: string) => void;
}

function Head({ handoff, isBusy, onAct }: HeadProps) {
  const { state, bot, conversationId, createdAt, mayTake, operator } = handoff;
  const isColleagues = state === "live" && operator !== session.value?.operator.name;
  return (
    <Fragment>
      <div class="pane-head">
        <h2 id="h-handoff" dir="auto" title={fullMoment(createdAt)}>
          {drawPieces(nameOf(handoff))}
        </h2>
        <span class="small faint under">
          <StateBadge handoff={handoff} /> · <bdi>{botName(bot)}</bdi> · {moment(createdAt)} ·{" "}
          <a href={`/deliveries?${new URLSearchParams({ conversation: conversationId })}`}>
            Notices to your team
          </a>
        </span>
        <span class="end" />
        {state === "open" && mayTake && (
          <GuardedButton
            permission="handoffs.answer"
            kind="primary"
            disabled={isBusy}
            onClick={() => onAct("take")}
          >
            Take over
          </GuardedButton>
        )}
        {isColleagues && operator !== undefined && (
          <GuardedButton
            permission="handoffs.answer"
            disabled={isBusy}
            onClick={() => onAct("take", operator)}
          >
            Take over from <bdi>{operator}</bdi>
          </GuardedButton>
        )}
        {state === "live" && (
          <GuardedButton permission="handoffs.answer" disabled={isBusy} onClick={() => onAct("release")}>
            Give back to the bot
          </GuardedButton>
        )}
        {state !== "closed" && (
          <GuardedButton
            permission="handoffs.answer"
            kind="quiet"
            disabled={isBusy}
            onClick={() => onAct("close")}
          >
            Close the hand-off
          </GuardedButton>
        )}
      </div>
      <WhyOff permission="handoffs.answer" />
      {state === "open" && !mayTake && (
        <p class="small faint">
          Operators cannot join conversations of this bot (<code>handoff.live: false</code>). Use the contact
          details.
        </p>
      )}
    </Fragment>
  );
}

/** The contact details that the visitor entered. */
function Left({ handoff: { fields, sharesTranscript } }: { handoff: HandoffDetail }) {
  return (
    <dl class="facts left-behind">
      <ContactDetails fields={fields} />
      <dt>Conversation</dt>
      <dd>
        {sharesTranscript
          ? "sent with the notices to your team"
          : "not shared by the visitor: notices to your team do not have it"}
      </dd>
    </dl>
  );
}

/** Values that the visitor gave for actions, and the calls that were made. */
function Actions({ actions: { slots, calls } }: { actions: HandoffActions }) {
  return (
    <div>
      <h3 class="small strong dim">Actions of the bot</h3>
      <dl class="facts left-behind">
        {slots.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd dir="auto">
              {value === undefined ? <span class="faint">given, not stored</span> : drawPieces(value)}
            </dd>
          </Fragment>
        ))}
        {calls.map(({ requestId, at, intent, state, says }) => (
          <Fragment key={requestId}>
            <dt>
              <code class="intent">{intent}</code>
            </dt>
            <dd title={fullMoment(at)}>
              {STATES[state]} · <span class="faint">{says}</span>
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

const STATES = {
  asking: "in progress",
  confirm: "not confirmed",
  done: "done",
  failed: "not done",
  unsure: "result unknown",
} as const;
