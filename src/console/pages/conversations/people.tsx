import { h } from "preact";

import type { HandoffEvent } from "../../../domain/handoff.ts";
import type { HandoffRow } from "../../../domain/operator/handoffs.ts";
import { stateInWords } from "../../../domain/transcript.ts";
import { drawPieces } from "../../parts/text.tsx";
import { fullMoment, moment } from "../../words/times.ts";
import { ContactDetails, StateBadge } from "../handoffs/row.tsx";

/** Where the visitor asked for a person, and what they filled in. */
export function AskedForPerson({ handoff }: { handoff: HandoffRow }) {
  const { id, fields, createdAt } = handoff;
  return (
    <article class="turn" aria-label="A hand-off">
      <p class="meta">
        <a href={`/handoffs/${encodeURIComponent(id)}`}>Asked for a person</a>
        <StateBadge handoff={handoff} />
        <At at={createdAt} />
      </p>
      {Object.keys(fields).length > 0 && (
        <dl class="facts">
          <ContactDetails fields={fields} />
        </dl>
      )}
    </article>
  );
}

/** A message of an operator, or an operator joining or leaving. */
export function PersonEvent({ event }: { event: HandoffEvent }) {
  const { kind, name, text, at } = event;
  if (kind === "state") {
    return (
      <p class="small faint" title={fullMoment(at)}>
        <bdi>{stateInWords(event)}</bdi>, {moment(at)}
      </p>
    );
  }
  const who = kind === "visitor" ? "Visitor" : name;
  return (
    <article class="turn" aria-label={who}>
      <p class={kind === "visitor" ? "said" : "replied as-written"} dir="auto">
        {drawPieces(text)}
      </p>
      <p class="meta">
        <bdi>{who}</bdi>
        <At at={at} />
      </p>
    </article>
  );
}

function At({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullMoment(at)}>
      {moment(at)}
    </time>
  );
}
