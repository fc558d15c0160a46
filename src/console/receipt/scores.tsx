import { h } from "preact";

import type { ReceiptView } from "../../domain/operator/conversations.ts";
import { Bar } from "../parts/bar.tsx";
import { Glyph } from "../parts/icon.tsx";

type Score = ReceiptView["scores"][number];

const NAMES: Readonly<Record<Score["name"], string>> = {
  deny: "something denied",
  match: "in scope",
  knowledge: "in the documents",
};

const SAYS: Readonly<Record<Score["name"], string>> = {
  deny: "denies from",
  match: "in scope from",
  knowledge: "answers from",
};

/** Thresholds have three digits, so probabilities do, too. */
const chance = (value: number) => value.toFixed(3);

/** Probabilities with their thresholds, in the order in which they are checked. */
export function Scores({ scores }: { scores: readonly Score[] }) {
  if (scores.length === 0) return null;
  return (
    <section class="section" aria-labelledby="r-thresholds">
      <h3 id="r-thresholds">Scores and thresholds</h3>
      <ol class="scores">
        {scores.map(({ name, value, threshold }) => {
          const isReached = value >= threshold;
          return (
            <li key={name} class={`score ${isReached ? "won" : ""}`}>
              <span class="name">{NAMES[name]}</span>
              <Bar
                share={value}
                limit={threshold}
                kind={isReached && name === "deny" ? "refused" : "quiet"}
              />
              <span class="num">{chance(value)}</span>
              <span />
            </li>
          );
        })}
      </ol>
      <p class="scale">
        The mark on each bar is the threshold:{" "}
        {scores.map(({ name, threshold }) => `${SAYS[name]} ${chance(threshold)}`).join(", ")}.
      </p>
    </section>
  );
}

/** The closest intents, and whether the profile allows them. */
export function ClosestIntents({ view }: { view: ReceiptView }) {
  if (view.intents.length === 0) return null;
  return (
    <section class="section" aria-labelledby="r-intents">
      <h3 id="r-intents">Closest intents</h3>
      <ol class="scores">
        {view.intents.map(({ intent, confidence, isAllowed }) => (
          <li key={intent} class={`score ${intent === view.intent ? "won" : ""}`}>
            <span class="name" title={intent}>
              <code class="intent">{intent}</code>
            </span>
            <Bar share={confidence} kind={isAllowed ? "quiet" : "refused"} />
            <span class="num">{chance(confidence)}</span>
            <Allowed is={isAllowed} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Whether the profile allows it. */
export function Allowed({ is }: { is: boolean }) {
  const says = is ? "allowed" : "denied";
  return (
    <span class={`mark ${is ? "answered" : "refused"}`} title={says}>
      <Glyph outcome={is ? "answered" : "refused"} />
      <span class="vh">{says}</span>
    </span>
  );
}
