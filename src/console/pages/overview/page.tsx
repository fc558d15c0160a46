import { Fragment, h } from "preact";
import { useEffect } from "preact/hooks";

import type { Overview, Period } from "../../../domain/operator/overview.ts";
import type { ModelRow } from "../../../domain/operator/server.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { waiting } from "../../bots.ts";
import type { PageProps } from "../../page.ts";
import { ModelTable } from "../../parts/model-table.tsx";
import { BotSelect, PageHead, Segments } from "../../parts/page-head.tsx";
import { Empty, Notice, Read } from "../../parts/states.tsx";
import { go, withQuery } from "../../router.ts";
import { waitingVisitors, waitInWords } from "../../waiting-visitors.ts";
import { count, counted, percentSign } from "../../words/numbers.ts";
import { Chart } from "./chart.tsx";
import { Intents } from "./intents.tsx";
import { Limits, limitsOf } from "./limits.tsx";
import { comparison, PERIOD_WORDS, shareOf } from "./sentences.ts";
import { Strip } from "./strip.tsx";
import { WorthYourTime } from "./worth-your-time.tsx";

const PERIODS: readonly (readonly [Period, string])[] = [
  ["24h", "24 h"],
  ["7d", "7 d"],
  ["30d", "30 d"],
  ["90d", "90 d"],
];

const periodOf = (query: URLSearchParams): Period =>
  PERIODS.find(([period]) => period === query.get("period"))?.[0] ?? "30d";

/** The overview: figures of a period and the tasks that follow from them. */
export default function OverviewPage({ query }: PageProps) {
  const period = periodOf(query);
  const bot = query.get("bot") ?? "";
  const compare = query.get("compare") !== "0";
  const overview = useResource(`${bot} ${period} ${compare}`, async (signal) =>
    comparable(
      await ask("GET /overview", { query: { bot, period, compare: compare ? "1" : undefined } }, { signal }),
    ),
  );
  const models = useResource("models", async (signal) => (await ask("GET /models", {}, { signal })).items);
  useEffect(() => {
    if (overview.data !== undefined && bot === "") waiting.value = overview.data.waiting;
  }, [overview.data, bot]);
  return (
    <Fragment>
      <PageHead title="Overview" lead={overview.data && <Lead overview={overview.data} period={period} />}>
        <span class="grow" />
        <BotSelect value={bot} onChange={(next) => go(withQuery({ bot: next }))} />
        <Segments
          label="Period"
          value={period}
          options={PERIODS}
          addressOf={(next) => withQuery({ period: next === "30d" ? undefined : next })}
        />
        <label class="check no-phone">
          <input
            type="checkbox"
            checked={compare}
            onChange={() => go(withQuery({ compare: compare ? "0" : undefined }))}
          />
          Compare with the {PERIOD_WORDS[period]} before
        </label>
      </PageHead>
      <div class="body">
        <WhoWaits />
        <Read what="the overview" from={overview} lines={["tall", "tall", "tall", "w9", "w6"]}>
          {(data) => (
            <Fragment>
              <Behind uncounted={data.uncounted} />
              <Content overview={data} period={period} models={models.data ?? []} />
            </Fragment>
          )}
        </Read>
      </div>
    </Fragment>
  );
}

/** Shown above all figures, because visitors are waiting now. */
function WhoWaits() {
  const visitors = waitingVisitors.value ?? 0;
  if (visitors === 0) return null;
  return (
    <Notice kind="look" icon="person" title={waitInWords(visitors)}>
      <div class="actions">
        <a class="btn btn-primary" href="/handoffs">
          Go to the hand-offs
        </a>
      </div>
    </Notice>
  );
}

/** Removes the comparison if the period before had no messages. */
function comparable({ before, ...overview }: Overview): Overview {
  return { ...overview, ...(before !== undefined && before.messages > 0 && { before }) };
}

function Lead({ overview, period }: { overview: Overview; period: Period }) {
  const { sums, waiting: groups } = overview;
  if (sums.messages === 0 && overview.uncounted !== undefined)
    return <Fragment>No message of the last {PERIOD_WORDS[period]} is counted yet.</Fragment>;
  if (sums.messages === 0) return null;
  return (
    <Fragment>
      <b>
        {percentSign(shareOf(sums, "answered"))} of {count(sums.messages)} messages were answered
      </b>
      {comparison(overview, period)}
      {groups > 0 && (
        <Fragment>
          {" "}
          <a href="/improve">
            {groups === 1 ? "One group of messages waits" : `${count(groups)} groups of messages wait`} in
            Improve
          </a>
          .
        </Fragment>
      )}
    </Fragment>
  );
}

interface ContentProps {
  overview: Overview;
  period: Period;
  models: readonly ModelRow[];
}

function Behind({ uncounted }: { uncounted: number | undefined }) {
  if (uncounted === undefined) return null;
  return (
    <p class="small dim">Not counted yet, and missing from these figures: {counted(uncounted, "message")}.</p>
  );
}

function Content({ overview, period, models }: ContentProps) {
  if (overview.sums.messages === 0 && overview.uncounted === undefined) return <NobodyYet period={period} />;
  const limits = limitsOf(overview.usage, overview.to);
  return (
    <Fragment>
      <Strip overview={overview} period={period} />
      <Chart overview={overview} />
      <div class="cols">
        <div class="c5 section gap">
          <WorthYourTime overview={overview} limits={limits} models={models} />
          {limits.length > 0 && <Limits limits={limits} now={overview.to} />}
        </div>
        <div class="c7 section gap">
          {overview.topIntents.length > 0 && <Intents overview={overview} period={period} />}
          {models.length > 0 && <Models models={models} />}
        </div>
      </div>
    </Fragment>
  );
}

function Models({ models }: { models: readonly ModelRow[] }) {
  return (
    <section class="section" aria-labelledby="h-models">
      <header>
        <h2 id="h-models">Model servers</h2>
        <a class="end" href="/models">
          Check now
        </a>
      </header>
      <ModelTable models={models} />
    </section>
  );
}

function NobodyYet({ period }: { period: Period }) {
  return (
    <Empty title={`No messages in the last ${PERIOD_WORDS[period]}`}>
      <p>
        A bot is put on a page by an HTML snippet, which is shown when its token is created. The first message
        appears here within a few seconds.
      </p>
      <div class="actions">
        <a class="btn btn-primary" href="/tokens?new=1">
          Get the HTML snippet
        </a>
        <a class="btn btn-quiet" href="/try">
          Try the bot
        </a>
      </div>
    </Empty>
  );
}
