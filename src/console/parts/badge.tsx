import { type ComponentChildren, h } from "preact";

import type { Rating } from "../../domain/feedback.ts";
import type { Outcome } from "../../domain/operator/overview.ts";
import { OUTCOME_WORDS, RATING_WORDS } from "../words/outcomes.ts";
import { Glyph } from "./icon.tsx";

interface BadgeProps {
  outcome: Outcome;
  /** Another label. `hidden` shows only the shape and leaves the label to screen readers. */
  says?: string;
  hidden?: boolean;
}

/** An outcome as shape, label and colour; each is sufficient alone. */
export function Badge({ outcome, says = OUTCOME_WORDS[outcome], hidden = false }: BadgeProps) {
  return (
    <span class={`badge ${outcome}`} title={hidden ? says : undefined}>
      <Glyph outcome={outcome} />
      {hidden ? <span class="vh">{says}</span> : says}
    </span>
  );
}

/** A neutral label. */
export function Tag({ children, title }: { children: ComponentChildren; title?: string | undefined }) {
  return (
    <span class="badge outline" title={title}>
      {children}
    </span>
  );
}

/** The colour square of an outcome in a legend; `unhelpful`: answers that did not help; `wrong`: likely wrong ones. */
export function Swatch({ outcome }: { outcome: Outcome | "unhelpful" | "wrong" }) {
  return <span class={`swatch ${outcome}`} />;
}

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

interface BarProps {
  /** 0–1. */
  share: number;
  /** Position of a mark, 0–1. */
  limit?: number;
  kind?: "answered" | "asked" | "unmatched" | "refused" | "quiet";
}

const hundredths = (share: number) => (Math.min(1, Math.max(0, share)) * 100).toFixed(1);

/** A share as a bar. The number stands beside it, so the bar is hidden from screen readers. */
export function Bar({ share, limit, kind = "answered" }: BarProps) {
  return (
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="10" rx="1" />
      <rect class={`fill ${kind}`} width={hundredths(share)} height="10" rx="1" />
      {limit !== undefined && (
        <line class="limit" x1={hundredths(limit)} x2={hundredths(limit)} y1="-1" y2="11" />
      )}
    </svg>
  );
}
