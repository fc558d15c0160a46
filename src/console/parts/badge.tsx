import { type ComponentChildren, h } from "preact";

import type { Outcome } from "../../domain/operator/overview.ts";
import { OUTCOME_WORDS } from "../words/outcomes.ts";
import { Glyph } from "./icon.tsx";

interface BadgeProps {
  outcome: Outcome;
  /** Another word for it; `hidden` leaves the shape alone, and the word to those who listen. */
  says?: string;
  hidden?: boolean;
}

/** An outcome by shape, word and colour: each alone will do. */
export function Badge({ outcome, says = OUTCOME_WORDS[outcome], hidden = false }: BadgeProps) {
  return (
    <span class={`badge ${outcome}`} title={hidden ? says : undefined}>
      <Glyph outcome={outcome} />
      {hidden ? <span class="vh">{says}</span> : says}
    </span>
  );
}

/** A state in a word, without a judgement. */
export function Tag({ children, title }: { children: ComponentChildren; title?: string | undefined }) {
  return (
    <span class="badge outline" title={title}>
      {children}
    </span>
  );
}

/** The square of an outcome in a legend; `unhelpful`: of answers that did not help; `wrong`: of those that are likely wrong. */
export function Swatch({ outcome }: { outcome: Outcome | "unhelpful" | "wrong" }) {
  return <span class={`swatch ${outcome}`} />;
}
