import { describe, expect, test } from "bun:test";

import { knowledgeInMemory, NO_KNOWLEDGE } from "../../../../src/bots/bot-knowledge.ts";
import type { Passage } from "../../../../src/knowledge/passage.ts";
import {
  contradictionInWords,
  findContradictions,
} from "../../../../src/operate/contradictions/find-contradictions.ts";
import { shopBot } from "../../../support/bots.ts";

const passage = (heading: string, body: string): Passage => ({
  documentId: "d",
  title: "Good to know",
  headingPath: [heading],
  body,
});
const OTHERS = [
  passage("Washing tents", "Brush them and let them dry in the air."),
  passage("Gift cards", "They are sent by post, or printed at the counter for 25 €."),
  passage("Repairing boats", "We mend canoes and kayaks in the winter."),
];
const LATE = passage(
  "Late opening on Thursdays",
  "On Thursdays the repair desk stays open until 8 pm. Please ring the bell.",
);

function found(answer: string, ...passages: Passage[]) {
  const document = shopBot({
    language: "en",
    intents: [
      {
        name: "hours",
        examples: ["is the repair desk open late on thursdays", "until when is the repair desk open"],
        responses: [answer],
      },
    ],
  });
  const all = new Map([...OTHERS, ...passages].map((each, place) => [place + 1, each]));
  return findContradictions({ document, knowledge: knowledgeInMemory(all) });
}

describe("an answer contradicts a document", () => {
  test("that states another time on the same subject; both sentences are shown", async () => {
    const [contradiction, ...more] = await found(
      "You are welcome. The repair desk is open from 9 am to 6 pm.",
      LATE,
    );
    expect(more).toEqual([]);
    expect(contradiction).toEqual({
      intent: "hours",
      answer: "The repair desk is open from 9 am to 6 pm.",
      document: "Good to know › Late opening on Thursdays",
      says: "On Thursdays the repair desk stays open until 8 pm.",
    });
    expect(contradictionInWords(contradiction!)).toBe(
      "hours answers “The repair desk is open from 9 am to 6 pm.”, and Good to know › Late opening on Thursdays says " +
        "“On Thursdays the repair desk stays open until 8 pm.”. These may contradict each other. If both are right, say so in the answer.",
    );
  });

  test.each([
    ["says the same", "The repair desk is open until 8 pm on Thursdays."],
    ["says something of another kind", "The repair desk takes 10 € for a look."],
    ["states nothing", "The repair desk is open."],
  ])("but not where it %s", async (_, answer) => {
    expect(await found(answer, LATE)).toEqual([]);
  });

  test("but not one on another subject", async () => {
    expect(await found("The repair desk is open until 6 pm.")).toEqual([]);
  });
});

test("without documents nothing is contradicted", async () => {
  expect(await findContradictions({ document: shopBot(), knowledge: NO_KNOWLEDGE })).toEqual([]);
});
