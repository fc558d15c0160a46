import { type ComponentChildren, Fragment, h } from "preact";

import type { PublishPreview, TestOutcome } from "../../domain/operator/bots.ts";
import type { LiveWork, WorkStep } from "../draft/live-work.ts";
import { Icon } from "../parts/icon.tsx";
import { Fault, Skeleton } from "../parts/states.tsx";
import { TableFrame } from "../parts/table.tsx";
import { Sentence } from "../parts/text.tsx";
import { milliseconds, percentSign } from "../words/numbers.ts";
import { ChangedMessages } from "./changed-messages.tsx";
import { type GuardLine, guardLines } from "./guard.ts";
import { FailedTests } from "./test-results.tsx";

interface WhatWouldChangeProps {
  preview: LiveWork<PublishPreview>;
  ticks: ReadonlySet<string>;
  onTick: (tick: string, isOn: boolean) => void;
  /** Parts that need no calculation, shown above the result. */
  children?: ComponentChildren;
}

/** The effects of publishing the draft. After an edit, the earlier result stays and is marked as old until the new one arrives. */
export function WhatWouldChange({ preview, children, ...ticks }: WhatWouldChangeProps) {
  const result = preview.result.value;
  const problem = preview.problem.value;
  const step = preview.step.value;
  const isOld = preview.isOld.value;
  return (
    <Fragment>
      <div class="pane-head">
        <h2 id="h-change">Changes</h2>
        <span class="end small faint" role="status">
          {step !== undefined ? stepInWords(step) : result && `checked in ${milliseconds(result.tookMs)}`}
        </span>
      </div>
      {children}
      {problem && (
        <Fault what="The changes could not be checked" problem={problem} retry={() => preview.again()} />
      )}
      {result === undefined && step !== undefined && (
        <Skeleton what="the changes" lines={["w9", "w6", "w9", "tall"]} />
      )}
      {result && (
        <div class={`section gap ${isOld ? "old" : ""}`} aria-busy={isOld}>
          {isOld && <p class="small dim">Result for the draft before your latest edit:</p>}
          <Result result={result} {...ticks} />
        </div>
      )}
    </Fragment>
  );
}

/** Progress of a step in words. */
export function stepInWords({ step, done, of }: WorkStep): string {
  return of > 1 ? `${step}, ${Math.round((done / of) * 100)} %` : `${step} …`;
}

function Result({
  result,
  ...ticks
}: { result: PublishPreview } & Pick<WhatWouldChangeProps, "ticks" | "onTick">) {
  return (
    <Fragment>
      <ul class="guard">
        {guardLines(result).map((line) => (
          <Line key={line.strong} line={line} />
        ))}
      </ul>
      <FailedTests tests={result.tests.filter(({ passed }: TestOutcome) => !passed)} />
      <ChangedMessages preview={result} {...ticks} />
      <CrossValidation {...result} />
    </Fragment>
  );
}

const ICONS = { ok: "check", look: "warn", fault: "warn", note: "info" } as const;

function Line({ line: { kind, strong, rest } }: { line: GuardLine }) {
  return (
    <li>
      <span class={`guard-icon ${kind === "note" ? "dim" : kind}`}>
        <Icon name={ICONS[kind]} />
      </span>
      <span class={kind === "note" ? "dim" : undefined}>
        <b>
          <Sentence text={strong} />
        </b>{" "}
        {rest !== undefined && <Sentence text={rest} />}
      </span>
    </li>
  );
}

interface Judged {
  right: number;
  asked: number;
  judged: number;
}

function CrossValidation({ crossValidation }: Pick<PublishPreview, "crossValidation">) {
  if (crossValidation === undefined) return null;
  const { before, after } = crossValidation;
  const rows = [
    ["correct", (of: Judged) => of.right / of.judged, true],
    ["clarifying question", (of: Judged) => of.asked / of.judged, false],
  ] as const;
  return (
    <TableFrame
      label="Cross-validation"
      caption="Cross-validation of the examples, now and with the draft"
      heads={{ "Examples, each judged by a model trained without it": "wrap", Live: "num", Draft: "num" }}
    >
      {rows.map(([says, shareOf, isGood]) => (
        <tr key={says}>
          <th scope="row">{says}</th>
          <td class="num">{percentSign(shareOf(before))}</td>
          <td class={`num ${verdict(shareOf(before), shareOf(after), isGood)}`}>
            {percentSign(shareOf(after))}
          </td>
        </tr>
      ))}
    </TableFrame>
  );
}

/** Half a percentage point. Smaller differences also come from the random folds of the cross-validation. */
const NOTEWORTHY = 0.005;

function verdict(before: number, after: number, isGood: boolean): string {
  const gain = isGood ? after - before : before - after;
  if (Math.abs(gain) < NOTEWORTHY) return "";
  return gain > 0 ? "better" : "worse";
}
