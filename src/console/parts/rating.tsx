import { h } from "preact";

import type { Rating } from "../../domain/feedback.ts";
import { RATING_WORDS } from "../words/ratings.ts";

/** A thumb that points up, on a square of 12. */
const THUMB =
  "M1.5 5.500h2v5h-2zm2 .4L6 1.500c.9 0 1.400.7 1.200 1.500L6.800 4.800h2.500c.8 0 1.300.7 1.100 1.400l-.9 3.200c-.2.7-.7 1.100-1.400 1.100H3.500";

/** A rating as shape and label. `hidden` shows only the shape and leaves the label to screen readers. */
export function RatingBadge({ rating, hidden = false }: { rating: Rating; hidden?: boolean }) {
  const says = RATING_WORDS[rating];
  return (
    <span class="badge plain" title={hidden ? says : undefined}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={THUMB} {...(rating === "down" && { transform: "rotate(180 6 6)" })} />
      </svg>
      {hidden ? <span class="vh">{says}</span> : says}
    </span>
  );
}
