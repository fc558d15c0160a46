import { h } from "preact";

import type { ReceiptView } from "../../domain/operator/conversations.ts";
import { Bar } from "../parts/badge.tsx";
import { Glyph } from "../parts/icon.tsx";
import { percentSign } from "../words/numbers.ts";

type Score = ReceiptView["scores"][number];

const NAMES: Readonly<Record<Score["name"], string>> = {
  deny: "asks for something denied",
  match: "in scope",
  knowledge: "in the documents",
};

const SAYS: Readonly<Record<Score["name"], string>> = {
  deny: "refused from",
  match: "in scope from",
  knowledge: "answers from",
};

/** Thresholds have three digits, so probabilities do, too. */
const inDigits = (value: number) => value.toFixed(3);

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
              <span class="num">{inDigits(value)}</span>
              <span />
            </li>
          );
        })}
      </ol>
      <p class="scale">
        The mark on each bar is the threshold:{" "}
        {scores.map(({ name, threshold }) => `${SAYS[name]} ${inDigits(threshold)}`).join(", ")}.
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
            <span class="num">{inDigits(confidence)}</span>
            <Allowed is={isAllowed} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Whether the profile allows it. */
function Allowed({ is }: { is: boolean }) {
  const says = is ? "allowed" : "denied";
  return (
    <span class={`mark ${is ? "answered" : "refused"}`} title={says}>
      <Glyph outcome={is ? "answered" : "refused"} />
      <span class="vh">{says}</span>
    </span>
  );
}

/** The candidates for an answer, with the evidence for each. */
export function Candidates({ view: { candidates = [], notSaid } }: { view: ReceiptView }) {
  if (candidates.length === 0) return null;
  const rest = 1 - candidates.reduce((sum, { chance }) => sum + chance, 0);
  return (
    <section class="section" aria-labelledby="r-candidates">
      <h3 id="r-candidates">Candidates</h3>
      <ol class="scores">
        {candidates.map(({ name, kind, chance, isAllowed, isSaid, why }) => (
          <li key={name + why} class={`score candidate ${isSaid ? "won" : ""}`}>
            <span class="name">
              {kind === "intent" ? <code class="intent">{name}</code> : <bdi>{name}</bdi>}
            </span>
            <Bar share={chance} kind={isAllowed ? "quiet" : "refused"} />
            <span class="num">{percentSign(chance)}</span>
            <Allowed is={isAllowed} />
            <span class="why">{isSaid ? `answered; ${why}` : why}</span>
          </li>
        ))}
        <li class="score candidate">
          <span class="name">something else, or nothing that the bot covers</span>
          <Bar share={rest} kind="quiet" />
          <span class="num">{percentSign(Math.max(0, rest))}</span>
          <span />
        </li>
      </ol>
      {notSaid !== undefined && <p class="small">{notSaid}.</p>}
    </section>
  );
}
