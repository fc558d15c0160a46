import type { ChangedMessage, PublishPreview } from "../../domain/operator/bots.ts";

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
  if (preview.mistakes.some(({ severity }) => severity === "error"))
    return "Correct the errors in the YAML to publish.";
  const left = preview.newlyAnswered.filter((message) => !ticks.has(tickOf(message))).length;
  if (left > 0)
    return `First tick ${left === 1 ? "the refused message" : `the ${left} refused messages`} that would be answered.`;
  return undefined;
}
