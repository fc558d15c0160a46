import { h } from "preact";

import type { HandoffRow } from "../../../domain/operator/handoffs.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { Time } from "../../parts/time.tsx";
import { isWaiting } from "./is-waiting.ts";

/** The operator who has joined, or since when the visitor has waited. */
export function StateBadge({ handoff }: { handoff: HandoffRow }) {
  const { state, operator, createdAt, updatedAt, givenBackAt } = handoff;
  if (state === "live") return <Badge outcome="answered" says={`${operator ?? "Somebody"} has joined`} />;
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
