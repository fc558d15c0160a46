import type { ChangedMessage, PublishPreview } from "../../domain/operator/bots.ts";
import { count, counted } from "../words/numbers.ts";

/** One line of the summary above the publish button. */
export interface GuardLine {
  kind: "ok" | "look" | "fault" | "note";
  strong: string;
  rest?: string;
}

type Sums = Pick<
  PublishPreview,
  "mistakes" | "tests" | "messages" | "newlyAnswered" | "worse" | "improved" | "moved"
>;

const timesOf = (changes: readonly { times: number }[]) => changes.reduce((sum, { times }) => sum + times, 0);

/** Summary of a preview in sentences, the most important first. */
export function guardLines(preview: PublishPreview): GuardLine[] {
  if (hasErrors(preview.mistakes))
    return [
      ...mistakes(preview),
      { kind: "note", strong: "Nothing else was checked:", rest: "correct the errors first." },
    ];
  return [
    ...mistakes(preview),
    refusals(preview),
    tests(preview),
    messages(preview),
    ...(preview.replacesFile
      ? [
          {
            kind: "note" as const,
            strong: "This bot was seeded from a file:",
            rest: "after publishing, copy the YAML back into it.",
          },
        ]
      : []),
  ];
}

const hasErrors = (found: PublishPreview["mistakes"]) => found.some(({ severity }) => severity === "error");

/** Warnings listed in the summary; the YAML shows all of them. */
const MAX_WARNINGS = 5;

function mistakes({ mistakes: all }: Sums): GuardLine[] {
  const errors = all.filter(({ severity }) => severity === "error");
  if (errors.length === 0)
    return all.slice(0, MAX_WARNINGS).map(({ message }) => ({ kind: "look", strong: message }));
  return [
    {
      kind: "fault",
      strong: `${counted(errors.length, "error")} in the YAML.`,
      rest: errors[0]!.message,
    },
  ];
}

function refusals({ newlyAnswered }: Sums): GuardLine {
  if (newlyAnswered.length === 0)
    return { kind: "ok", strong: "No message that is refused now would be answered." };
  return {
    kind: "look",
    strong: `${counted(timesOf(newlyAnswered), "refused message")} would be answered.`,
    rest: "Read each below and tick it if that is right.",
  };
}

function tests({ tests: all }: Sums): GuardLine {
  if (all.length === 0)
    return {
      kind: "note",
      strong: "No tests:",
      rest: "keep messages as tests to notice when their answers change.",
    };
  const passed = all.filter((test) => test.passed).length;
  if (passed === all.length)
    return { kind: "ok", strong: passed === 1 ? "The test passes." : `All ${count(passed)} tests pass.` };
  return { kind: "look", strong: `${count(passed)} of ${counted(all.length, "test")} pass.` };
}

function messages({ messages: looked, worse, improved, moved, newlyAnswered }: Sums): GuardLine {
  if (looked === 0) return { kind: "note", strong: "No stored messages to compare with yet." };
  const changed = timesOf([...worse, ...improved, ...moved, ...newlyAnswered]);
  const of = `of the latest ${counted(looked, "message")}`;
  if (changed === 0) return { kind: "ok", strong: `None ${of} would get a different decision.` };
  const rest = worse.length > 0 ? `Check ${count(timesOf(worse))} of them.` : "None got worse.";
  return {
    kind: worse.length > 0 ? "look" : "ok",
    strong: `${count(changed)} ${of} would get a different decision.`,
    rest,
  };
}

/** Number of messages as the summary counts them, and of rows where a message was sent more than once. */
export function sizeOf(changes: readonly ChangedMessage[]): string {
  const sent = counted(timesOf(changes), "message");
  return timesOf(changes) === changes.length ? sent : `${sent}, ${counted(changes.length, "wording")}`;
}

/** Key of a tick: the message with its new answer. A different answer has to be ticked again. */
export function tickOf({ text, after }: ChangedMessage): string {
  return JSON.stringify([text, after.intent, after.rule]);
}

/** The reason why the draft cannot be published, as a sentence; undefined if it can. */
export function whyNotYet(
  preview: Pick<PublishPreview, "mistakes" | "newlyAnswered"> | undefined,
  { isOld, isChanged, ticks }: { isOld: boolean; isChanged: boolean; ticks: ReadonlySet<string> },
): string | undefined {
  if (!isChanged) return "There are no changes.";
  if (preview === undefined || isOld) return "Checking the changes …";
  if (hasErrors(preview.mistakes)) return "Correct the errors in the YAML to publish.";
  const left = preview.newlyAnswered.filter((message) => !ticks.has(tickOf(message))).length;
  if (left > 0)
    return `First tick ${left === 1 ? "the refused message" : `the ${left} refused messages`} that would be answered.`;
  return undefined;
}
