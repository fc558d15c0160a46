import { Fragment, h } from "preact";

import type { HandoffRow } from "../../../domain/operator/handoffs.ts";
import { session } from "../../api/connection.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { drawPieces, Time } from "../../parts/text.tsx";

/** The operator who has joined, or since when the visitor has waited. */
export function StateBadge({ handoff }: { handoff: HandoffRow }) {
  const { state, operator, createdAt, updatedAt, givenBackAt } = handoff;
  if (state === "live") {
    const says =
      operator === session.value?.operator.name ? "You have joined" : `${operator ?? "Somebody"} has joined`;
    return <Badge outcome="answered" says={says} />;
  }
  if (isWaiting(handoff)) {
    return (
      <span>
        <Badge outcome="unmatched" says="Waiting" /> asked{" "}
        <Time at={givenBackAt === undefined ? createdAt : updatedAt} as="ago" />
      </span>
    );
  }
  return (
    <span>
      <Tag>{state === "closed" ? "Closed" : "Given back"}</Tag>{" "}
      <Time at={givenBackAt ?? updatedAt} as="ago" />
    </span>
  );
}

/** Name of a visitor in the list: the given name, or else a contact detail. */
export function nameOf({ fields }: HandoffRow): string {
  const { name, email, phone, message } = fields;
  return name ?? email ?? phone ?? message?.slice(0, 80) ?? "A visitor";
}

/** Whether no operator has joined yet, or the visitor has asked again since. The API counts by the same rule. */
const isWaiting = ({ state, givenBackAt = 0, updatedAt }: HandoffRow): boolean =>
  state === "open" && givenBackAt < updatedAt;

const CONTACT_WORDS = { name: "Name", email: "E-mail", phone: "Phone", message: "Message" } as const;

/** The contact details that the visitor entered, for a list of facts. */
export function ContactDetails({ fields }: Pick<HandoffRow, "fields">) {
  const given = Object.entries(CONTACT_WORDS).flatMap(([field, says]) => {
    const value = fields[field as keyof typeof CONTACT_WORDS];
    return value === undefined ? [] : [{ says, value }];
  });
  return (
    <Fragment>
      {given.map(({ says, value }) => (
        <Fragment key={says}>
          <dt>{says}</dt>
          <dd class="as-written" dir="auto">
            {drawPieces(value)}
          </dd>
        </Fragment>
      ))}
    </Fragment>
  );
}
