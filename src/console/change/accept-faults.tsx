import { signal } from "@preact/signals";
import { h } from "preact";

import { Problem } from "../api/problem.ts";
import { Confirm } from "../parts/dialog.tsx";
import { counted } from "../words/numbers.ts";

interface Question {
  /** Each with its place in the bot's text. */
  faults: readonly string[];
  answer: (accepts: boolean) => void;
}

/** Faults that the dialog lists, as many as fit on a phone. There may be hundreds. */
const MAX_TOLD = 5;

const asked = signal<Question | undefined>(undefined);

/**
 * Publishes. If the bot has faults, asks once whether to publish anyway.
 *
 * @returns "declined" if the operator declined; nothing is published then. @throws Problem
 */
export async function publishAsking<Result>(
  publish: (acceptFaults: boolean) => Promise<Result>,
): Promise<Result | "declined"> {
  try {
    return await publish(false);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "UNACCEPTED_FAULTS") throw error;
    return (await accepts(error.faults.map(({ detail }) => detail))) ? publish(true) : "declined";
  }
}

function accepts(faults: readonly string[]): Promise<boolean> {
  asked.peek()?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  asked.value = { faults, answer: resolve };
  return promise;
}

/** The question, shown above any page. */
export function FaultsToAccept() {
  const question = asked.value;
  if (question === undefined) return null;
  const { faults } = question;
  const more = faults.length - MAX_TOLD;
  const settle = (isAccepted: boolean) => {
    if (asked.peek() === question) asked.value = undefined;
    question.answer(isAccepted);
  };
  return (
    <Confirm
      title="Publish with faults?"
      does="Publish anyway"
      fault="Not published"
      list={[...faults.slice(0, MAX_TOLD), ...(more > 0 ? [`and ${more} more`] : [])]}
      onConfirm={() => settle(true)}
      onClose={() => settle(false)}
    >
      Visitors would get {counted(faults.length, "fault")}. Nothing is published yet. Publishing anyway is
      recorded in the audit.
    </Confirm>
  );
}
