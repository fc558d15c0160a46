import { h } from "preact";

import { ago, fullMoment, shortMoment } from "../words/times.ts";

/** An instant; its tooltip has seconds and time zone. */
export function Time({ at, as = "moment" }: { at: number; as?: "moment" | "ago" }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullMoment(at)} class="nowrap">
      {as === "ago" ? ago(at) : shortMoment(at)}
    </time>
  );
}
