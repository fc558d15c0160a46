import uPlot from "uplot";

import type { Outcome, Overview } from "../../../domain/operator/overview.ts";
import { utcHour, utcShortDay } from "../../words/times.ts";
import { totalOf } from "./sentences.ts";

type Bucket = Overview["buckets"][number];

/** From the axis upwards. Answered messages are in the upper band. */
const NOT_ANSWERED: readonly Outcome[] = ["asked", "unmatched", "refused", "failed"];

/** Heights of the two bands in CSS pixels: the number of messages, and the share not answered. */
const UPPER_HEIGHT = 160;
const LOWER_HEIGHT = 130;
const AXIS_WIDTH = 52;
const DAY_MS = 86_400_000;
/** 1, 2, 5, 10 … up to billions. */
const WHOLE_STEPS = Array.from({ length: 30 }, (_, at) => [1, 2, 5][at % 3]! * 10 ** Math.floor(at / 3));

interface PlotParts {
  into: HTMLElement;
  overview: Overview;
  /** The bucket under the pointer; null: none. */
  onPoint: (at: number | null, left: number) => void;
}

/** Two bands over one time axis: messages, and the share not answered. @returns a function that removes the chart. */
export function drawPlot({ into, overview, onPoint }: PlotParts): () => void {
  const { buckets } = overview;
  const times = buckets.map(({ at }) => at / 1000);
  const shares = stackedShares(buckets);
  const sync = uPlot.sync("overview");
  const upper = new uPlot(
    bandOptions(overview, {
      height: UPPER_HEIGHT,
      colors: ["--line-2", "--answered-solid"],
      unit: "count",
      onPoint,
    }),
    [times, buckets.map((bucket) => drawn(totalOf(bucket))), buckets.map(({ answered }) => drawn(answered))],
    into,
  );
  const lower = new uPlot(
    bandOptions(overview, {
      height: LOWER_HEIGHT,
      colors: NOT_ANSWERED.map((outcome) => `--${outcome}-solid`).toReversed(),
      unit: "percent",
      onPoint,
    }),
    [times, ...shares.toReversed()],
    into,
  );
  sync.sub(upper);
  sync.sub(lower);
  const resize = new ResizeObserver(() => {
    upper.setSize({ width: into.clientWidth, height: UPPER_HEIGHT });
    lower.setSize({ width: into.clientWidth, height: LOWER_HEIGHT });
  });
  resize.observe(into);
  return () => {
    resize.disconnect();
    upper.destroy();
    lower.destroy();
  };
}

/** Zero is not drawn, not even as a line. */
const drawn = (value: number): number | null => (value === 0 ? null : value);

/** Percentage of each outcome plus those below it, for stacked bars. */
function stackedShares(buckets: readonly Bucket[]): (number | null)[][] {
  return NOT_ANSWERED.map((_, at) =>
    buckets.map((bucket) => {
      const upTo = NOT_ANSWERED.slice(0, at + 1).reduce((sum, outcome) => sum + bucket[outcome], 0);
      return drawn((100 * upTo) / Math.max(1, totalOf(bucket)));
    }),
  );
}

interface Band {
  height: number;
  /** Colour tokens of the series, in drawing order: later ones cover earlier ones. */
  colors: readonly string[];
  unit: "count" | "percent";
  onPoint: PlotParts["onPoint"];
}

function bandOptions(overview: Overview, { height, colors, unit, onPoint }: Band): uPlot.Options {
  const ink = colorOf("--ink-3");
  const grid = { stroke: colorOf("--line-1"), width: 1 };
  const font = "11px sans-serif";
  const isLower = unit === "percent";
  const bars = uPlot.paths.bars!({ size: [0.66, 42], gap: 0 });
  return {
    width: 600,
    height,
    pxAlign: true,
    padding: [10, 0, isLower ? 0 : 10, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { setScale: false, x: false, y: false },
      sync: { key: "overview" },
    },
    scales: {
      x: { time: false, range: (_, from, to) => withMargin(from, to, overview.bucketMs) },
      y: { range: (_, __, most) => [0, Math.max(most ?? 0, isLower ? 5 : 4) * 1.05] },
    },
    axes: [
      {
        show: isLower,
        stroke: ink,
        font,
        size: 26,
        grid: { show: false },
        ticks: { show: false },
        space: 80,
        splits: () => timeSplits(overview),
        values: (_, splits) => splits.map((at) => timeName(at * 1000, overview.bucketMs)),
      },
      {
        stroke: ink,
        font,
        size: AXIS_WIDTH,
        grid,
        ticks: { show: false },
        space: 24,
        // Only whole numbers of messages.
        ...(!isLower && { incrs: WHOLE_STEPS }),
        values: (_, splits) =>
          splits.map((value) => (isLower ? `${value} %` : value.toLocaleString("en-GB"))),
      },
    ],
    series: [
      {},
      ...colors.map((color) => ({
        fill: colorOf(color),
        stroke: colorOf("--canvas"),
        width: 1,
        paths: bars,
        points: { show: false },
      })),
    ],
    hooks: {
      setCursor: [(plot) => onPoint(plot.cursor.idx ?? null, (plot.cursor.left ?? 0) + AXIS_WIDTH)],
    },
  };
}

/** Half a bucket on both sides, so that the first and last bar are complete. */
function withMargin(from: number, to: number, bucketMs: number): [number, number] {
  const half = bucketMs / 2000;
  return [from - half, to + half];
}

/** The labelled buckets, about eight: Mondays, or every few hours or days. */
function timeSplits({ buckets, bucketMs }: Overview): number[] {
  const isByDay = bucketMs >= DAY_MS;
  if (isByDay && buckets.length > 14) {
    const mondays = buckets.filter(({ at }) => new Date(at).getUTCDay() === 1);
    const every = Math.ceil(mondays.length / 8);
    return mondays.filter((_, at) => at % every === 0).map(({ at }) => at / 1000);
  }
  const every = isByDay ? 1 : 3;
  return buckets.filter((_, at) => at % every === 0).map(({ at }) => at / 1000);
}

const timeName = (at: number, bucketMs: number) => (bucketMs >= DAY_MS ? utcShortDay(at) : utcHour(at));

/** The value of a colour token in the current scheme: a canvas does not accept `light-dark()`. */
function colorOf(token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
