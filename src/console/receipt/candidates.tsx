import { h } from "preact";

import type { ReceiptView } from "../../domain/operator/conversations.ts";
import { Bar } from "../parts/bar.tsx";
import { percentSign } from "../words/numbers.ts";
import { Allowed } from "./scores.tsx";

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
