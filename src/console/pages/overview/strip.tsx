import { h } from "preact";

import type { Outcome, Overview, Period, PeriodSums } from "../../../domain/operator/overview.ts";
import { Swatch } from "../../parts/badge.tsx";
import { place, withQuery } from "../../router.ts";
import { change, count, counted, milliseconds, percent, percentSign, points } from "../../words/numbers.ts";
import { OUTCOME_WORDS, OUTCOMES } from "../../words/outcomes.ts";
import { isWorse, PERIOD_WORDS, shareOf } from "./sentences.ts";

/** The figures of the period; also the legend of the chart below. */
export function Strip({ overview, period }: { overview: Overview; period: Period }) {
  const { sums, before } = overview;
  return (
    <dl class="strip" aria-label={`The last ${PERIOD_WORDS[period]}`}>
      <div>
        <dt>Messages</dt>
        <dd class="figure">{count(sums.messages)}</dd>
        <dd class="was">in {counted(sums.conversations, "conversation")}</dd>
        {before !== undefined && (
          <dd class="was">
            {change(before.messages, sums.messages, 1)} · before: {count(before.messages)}
          </dd>
        )}
        <Rated sums={sums} period={period} />
      </div>
      {OUTCOMES.map((outcome) => (
        <Share key={outcome} outcome={outcome} overview={overview} />
      ))}
      <AnswerTime overview={overview} />
    </dl>
  );
}

/** How visitors rated the answers; nothing where nobody did. */
function Rated({ sums: { ratedUp, ratedDown }, period }: { sums: PeriodSums; period: Period }) {
  if (ratedUp + ratedDown === 0) return null;
  const { query } = place.value;
  const listed = { path: "/conversations", query: new URLSearchParams() };
  const filters = { bot: query.get("bot") ?? "", from: period };
  return (
    <dd class="was">
      rated:{" "}
      <a class="nowrap" href={withQuery({ ...filters, rating: "up" }, listed)}>
        {count(ratedUp)} helped
      </a>
      ,{" "}
      <a class="nowrap" href={withQuery({ ...filters, rating: "down" }, listed)}>
        {count(ratedDown)} did not
      </a>
    </dd>
  );
}

function Share({ outcome, overview: { sums, before } }: { outcome: Outcome; overview: Overview }) {
  const now = shareOf(sums, outcome);
  const was = before === undefined ? undefined : shareOf(before, outcome);
  return (
    <div>
      <dt>
        <Swatch outcome={outcome} />
        {OUTCOME_WORDS[outcome]}
      </dt>
      <dd class="figure">
        {percent(now)}
        <small> %</small>
      </dd>
      <dd class="was">{counted(sums[outcome], "message")}</dd>
      {was !== undefined && (
        <dd class="was">
          <span class={isWorse(outcome, was, now) ? "worse" : undefined}>{points(was, now)}</span> · before:{" "}
          {percentSign(was)}
        </dd>
      )}
    </div>
  );
}

function AnswerTime({ overview: { latency } }: { overview: Overview }) {
  if (latency === undefined) {
    return (
      <div>
        <dt>Answer time</dt>
        <dd class="figure">–</dd>
        <dd class="was">no messages since the server started</dd>
      </div>
    );
  }
  const [figure, unit] = milliseconds(latency.p50).split(" ");
  return (
    <div>
      <dt>Answer time</dt>
      <dd class="figure">
        {figure}
        <small> {unit}</small>
      </dd>
      <dd class="was">p95 {milliseconds(latency.p95)}</dd>
      <dd class="was">p99 {milliseconds(latency.p99)}</dd>
    </div>
  );
}
