import { type ComponentChildren, h } from "preact";

import type { Outcome } from "../../domain/operator/overview.ts";
import { OUTCOME_WORDS } from "../words/outcomes.ts";
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
