import type { ChangedMessage, PublishPreview } from "../../domain/operator/bots.ts";

/** What is ticked: the message together with what it would be answered as, so that another answer asks again. */
export function tickOf({ text, after }: ChangedMessage): string {
  return JSON.stringify([text, after.intent, after.rule]);
}

/** What stands in the way of publishing, as a sentence; undefined: nothing. */
export function whyNotYet(
  preview: Pick<PublishPreview, "mistakes" | "newlyAnswered"> | undefined,
  { isOld, isChanged, ticks }: { isOld: boolean; isChanged: boolean; ticks: ReadonlySet<string> },
): string | undefined {
  if (!isChanged) return "Nothing is changed yet.";
  if (preview === undefined || isOld) return "What would change is being worked out.";
  if (preview.mistakes.some(({ severity }) => severity === "error"))
    return "A text with a mistake cannot be published.";
  const left = preview.newlyAnswered.filter((message) => !ticks.has(tickOf(message))).length;
  if (left > 0)
    return `Tick ${left === 1 ? "the refusal" : `the ${left} refusals`} that would be answered first.`;
  return undefined;
}
