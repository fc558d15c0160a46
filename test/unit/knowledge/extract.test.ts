import { describe, expect, test } from "bun:test";

import { readCandidate } from "../../../src/knowledge/candidate.ts";
import { extractAnswer } from "../../../src/knowledge/extract.ts";
import { termsOfPassage } from "../../../src/knowledge/packed-terms.ts";
import { readQuestion } from "../../../src/knowledge/question.ts";
import { SearchIndex } from "../../../src/knowledge/search-index.ts";

const FILLER = "The weather in the mountains is often quite unlike the weather in the valley. ";

/** What is shown of a passage by its words. */
function shown(body: string, message: string, title = "Cats"): string {
  const passage = { documentId: "d1", title, headingPath: [], body };
  const index = SearchIndex.build([
    { id: 1, terms: termsOfPassage(title, body) },
    { id: 2, terms: termsOfPassage("Payment", "We accept credit cards, invoices and cash on delivery.") },
  ]);
  const question = readQuestion(index, message);
  return extractAnswer(question, readCandidate(question, passage, "en"));
}

describe("what is shown", () => {
  test("is the best sentence with its neighbours, where the passage is long", () => {
    const body = `${FILLER.repeat(4)}Neighbour one stands before. Purple cats eat marzipan on Fridays. Neighbour two stands behind. ${FILLER.repeat(4)}`;
    expect(shown(body, "When do purple cats eat marzipan?")).toBe(
      "Neighbour one stands before. Purple cats eat marzipan on Fridays. Neighbour two stands behind.",
    );
  });

  test("is all of a passage that is short", () => {
    const body = "Purple cats eat marzipan. They sleep on Sundays.";
    expect(shown(body, "When do purple cats eat marzipan?")).toBe(body);
  });

  test("is a list from its start, with the line that introduces it", () => {
    const list =
      "Purple cats eat marzipan in this order:\n- first the almonds\n- then the sugar\n- at last the box";
    expect(
      shown(
        `${FILLER.repeat(6)}\n${list}\n${FILLER.repeat(4)}`,
        "In which order do purple cats eat marzipan?",
      ),
    ).toBe(list);
  });

  test("of a long list is eight items, the best of them included", () => {
    const items = Array.from(
      { length: 30 },
      (_, i) => `- item number ${i}${i === 20 ? " for purple cats that eat marzipan" : ""}`,
    );
    const text = shown(
      `${FILLER.repeat(6)}\nAll items:\n${items.join("\n")}`,
      "which item is for purple cats that eat marzipan?",
    );
    expect(text.split("\n").filter((line) => line.startsWith("-")).length).toBeLessThanOrEqual(9);
    expect(text).toContain("purple cats");
  });

  test("is the beginning, where the title is the question", () => {
    const body = `Almonds. Some like sugar as well. ${FILLER.repeat(8)}`;
    const text = shown(body, "what do purple cats eat on fridays", "What do purple cats eat on Fridays?");
    expect(text.startsWith("Almonds. Some like sugar as well.")).toBe(true);
    expect(text.length).toBeLessThan(body.length);
  });

  test("is never longer than a visitor reads", () => {
    const text = shown("purple cats eat marzipan ".repeat(2000), "do purple cats eat marzipan?");
    expect(text.length).toBeLessThanOrEqual(401);
  });
});
