import { h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { Overview } from "../../../domain/operator/overview.ts";
import type { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";
import { loadPart } from "../../load-part.ts";
import { Swatch } from "../../parts/badge.tsx";
import { Fault } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { count } from "../../words/numbers.ts";
import { OUTCOME_WORDS, OUTCOMES } from "../../words/outcomes.ts";
import { bucketName, takeaway, totalOf } from "./sentences.ts";

type Bucket = Overview["buckets"][number];

interface Pointed {
  bucket: Bucket;
  left: number;
}

/** Messages over time in two bands: their number, and the share not answered. The table below has the same figures. */
export function Chart({ overview }: { overview: Overview }) {
  const plot = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Pointed>();
  const [problem, setProblem] = useState<Problem>();
  const isByDay = overview.bucketMs >= 86_400_000;
  useEffect(() => {
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    let remove: (() => void) | undefined;
    let isGone = false;
    const draw = async () => {
      const { drawPlot } = await loadPart(() => import("./plot.ts"));
      if (isGone) return;
      remove?.();
      remove = drawPlot({
        into: plot.current!,
        overview,
        onPoint: (at, left) => {
          const bucket = at === null || left < 0 ? undefined : overview.buckets[at];
          setPointed(bucket && { bucket, left });
        },
      });
    };
    const redraw = () => void draw().catch((error: unknown) => setProblem(asProblem(error)));
    redraw();
    scheme.addEventListener("change", redraw);
    return () => {
      isGone = true;
      scheme.removeEventListener("change", redraw);
      remove?.();
    };
  }, [overview]);
  return (
    <figure class="chart" aria-labelledby="chart-takeaway">
      <figcaption class="takeaway">
        <span id="chart-takeaway">
          <b>Messages {isByDay ? "a day" : "an hour"}; below, the share not answered.</b> {takeaway(overview)}
        </span>
        <span class="end faint">UTC</span>
      </figcaption>
      <div
        class="plot"
        ref={plot}
        role="img"
        aria-labelledby="chart-takeaway"
        onMouseLeave={() => setPointed(undefined)}
      >
        {pointed !== undefined && (
          <Tip pointed={pointed} bucketMs={overview.bucketMs} within={plot.current!} />
        )}
      </div>
      {problem !== undefined && <Fault what="The chart could not be loaded" problem={problem} />}
      <details open={problem !== undefined}>
        <summary>Show as a table</summary>
        <BucketTable overview={overview} />
      </details>
    </figure>
  );
}

/** The figures at the pointer; the table has them, too. */
function Tip({ pointed, bucketMs, within }: { pointed: Pointed; bucketMs: number; within: HTMLElement }) {
  const tip = useRef<HTMLDivElement>(null);
  const { bucket, left } = pointed;
  useEffect(() => {
    const { offsetWidth } = tip.current!;
    const isRight = left + offsetWidth + 24 > within.clientWidth;
    tip.current!.style.translate = `${isRight ? left - offsetWidth - 12 : left + 12}px 0`;
  }, [left, within]);
  return (
    <div class="plot-tip" ref={tip} aria-hidden="true">
      <b>{bucketName(bucket.at, bucketMs)}</b>
      {OUTCOMES.map((outcome) => (
        <div key={outcome}>
          <Swatch outcome={outcome} />
          {OUTCOME_WORDS[outcome]}
          <span class="num">{count(bucket[outcome])}</span>
        </div>
      ))}
    </div>
  );
}

function BucketTable({ overview: { buckets, bucketMs } }: { overview: Overview }) {
  const columns: readonly Column<Bucket>[] = [
    { head: "Time, UTC", label: "Time", cell: ({ at }) => bucketName(at, bucketMs), className: "nowrap" },
    { label: "Messages", cell: (bucket) => count(totalOf(bucket)), isNumber: true },
    ...OUTCOMES.map((outcome) => ({
      head: OUTCOME_WORDS[outcome],
      label: OUTCOME_WORDS[outcome],
      cell: (bucket: Bucket) => count(bucket[outcome]),
      isNumber: true,
    })),
  ];
  return (
    <Table
      caption="Messages over time, by what became of them"
      rows={buckets.toReversed()}
      columns={columns}
      keyOf={({ at }) => String(at)}
    />
  );
}
