import { h } from "preact";

import type { HandoffRow } from "../../../domain/operator/handoffs.ts";
import { Tag } from "../../parts/badge.tsx";

/** Whether somebody is there, in a word. */
export function StateBadge({ handoff: { state, operator } }: { handoff: HandoffRow }) {
  if (state === "live") return <Tag>{operator ?? "Somebody"} is there</Tag>;
  return <Tag>{state === "open" ? "Waiting" : "Closed"}</Tag>;
}
