import { Fragment, h } from "preact";

import type { HandoffEvent } from "../../../domain/handoff.ts";
import type { HandoffRow } from "../../../domain/operator/handoffs.ts";
import { stateInWords } from "../../../domain/transcript.ts";
import { drawPieces } from "../../parts/text.tsx";
import { fullMoment, moment } from "../../words/times.ts";
import { StateBadge } from "../handoffs/row.tsx";

const LABELS = { name: "Name", email: "E-mail", phone: "Phone", message: "Message" } as const;
const FIELDS = Object.keys(LABELS) as (keyof typeof LABELS)[];

/** Where the visitor asked for a person, and what they filled in. */
export function AskedForPerson({ handoff }: { handoff: HandoffRow }) {
  const { id, fields, createdAt } = handoff;
  const given = FIELDS.filter((field) => fields[field] !== undefined);
  return (
    <article class="turn" aria-label="A hand-off">
      <p class="meta">
        <a href={`/handoffs/${encodeURIComponent(id)}`}>Asked for a person</a>
        <StateBadge handoff={handoff} />
        <At at={createdAt} />
      </p>
      {given.length > 0 && (
        <dl class="facts">
          {given.map((field) => (
            <Fragment key={field}>
              <dt>{LABELS[field]}</dt>
              <dd class="as-written" dir="auto">
                {drawPieces(fields[field]!)}
              </dd>
            </Fragment>
          ))}
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
