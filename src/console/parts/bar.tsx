import { h } from "preact";

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
