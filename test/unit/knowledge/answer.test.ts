import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { answerFromKnowledge, type KnowledgeParts } from "../../../src/knowledge/answer.ts";
import { termsOfPassage } from "../../../src/knowledge/packed-terms.ts";
import { type Passage, titleOf } from "../../../src/knowledge/passage.ts";
import { readQuestion } from "../../../src/knowledge/question.ts";
import { SearchIndex } from "../../../src/knowledge/search-index.ts";
import { growthOf } from "../../support/growth.ts";
import { HOSTILE_TEXTS } from "../../support/hostile-texts.ts";

function passage(title: string, body: string, more: Partial<Passage> = {}): Passage {
  return { documentId: title, title, headingPath: [], body, ...more };
}

const PASSAGES = [
  passage(
    "Returns",
    "You may send back what you do not like within thirty days. We refund the price, but not the postage.",
    {
      url: "https://acme.example/help",
      anchor: "returns",
    },
  ),
  passage(
    "Delivery",
    "Parcels take two working days within Austria. Express parcels arrive on the next morning.",
    {
      url: "https://acme.example/help",
      anchor: "delivery",
    },
  ),
  passage("Warranty", "All appliances carry a guarantee of two years. It does not cover damage by water."),
  passage(
    "Opening hours",
    "Our shop in Vienna is open from nine to six, on Saturdays until noon. It is closed on Sundays.",
  ),
  passage("Payment", "We accept credit cards, invoices and cash on delivery."),
];

function knowing(passages: readonly Passage[], more: Partial<KnowledgeParts> = {}): KnowledgeParts {
  const index = SearchIndex.build(
    passages.map((one, id) => ({ id, terms: termsOfPassage(titleOf(one), one.body) })),
  );
  const readPassages = (ids: readonly number[]) =>
    Promise.resolve(new Map(ids.flatMap((id) => (passages[id] ? [[id, passages[id]] as const] : []))));
  return { index, readPassages, language: "en", ...more };
}

const SHOP = knowing(PASSAGES);

describe("a question of one word", () => {
  const noted = knowing([
    ...PASSAGES,
    passage("Guided tours", "If a storm comes up on the day, the guide decides by the weather."),
    passage("Gift wrapping", "We wrap parcels for two euros."),
  ]);

  test.each(["What's the weather?", "weather", "How is the weather?"])(
    "%p is no sure answer where a passage mentions the word",
    async (message) => {
      expect((await answerFromKnowledge(noted, message)).kind).not.toBe("answer");
    },
  );

  test("is answered by the passage that is about it", async () => {
    const answer = await answerFromKnowledge(noted, "What about warranties?");
    expect(answer.passages[0]!.passage.title).toBe("Warranty");
    expect((await answerFromKnowledge(noted, "warranty?")).kind).toBe("answer");
  });
});

describe("an answer", () => {
  test("is the passage that says it, with its link", async () => {
    const answer = await answerFromKnowledge(SHOP, "When do express parcels arrive in Austria?");
    expect(answer.kind).toBe("answer");
    expect(answer.confidence).toBeGreaterThanOrEqual(0.6);
    expect(answer.text).toBe(PASSAGES[1]!.body);
    expect(answer.sources).toEqual([{ title: "Delivery", url: "https://acme.example/help#delivery" }]);
    expect(answer.passages[0]!.passage).toBe(PASSAGES[1]!);
  });

  test("has a source without an address where the document has none", async () => {
    const { sources } = await answerFromKnowledge(SHOP, "Does the guarantee cover damage by water?");
    expect(sources).toEqual([{ title: "Warranty" }]);
  });

  test.each([
    ["Who won the football match yesterday?"],
    ["hello, how are you?"],
    ["is it not the one?"],
    [""],
    ["???"],
  ])("is none to %j", async (message) => {
    const answer = await answerFromKnowledge(SHOP, message);
    expect(answer).toMatchObject({ kind: "none", text: "", sources: [] });
  });

  test("to what is not sure is up to three places that may help, each once", async () => {
    const alike = ["shoes", "shirts", "hats", "gloves"].map((ware) =>
      passage(`Washing ${ware}`, `How ${ware} are washed: by hand and with cold water.`, {
        url: `https://acme.example/${ware}`,
      }),
    );
    const answer = await answerFromKnowledge(knowing(alike), "washing shoes in the machine");
    expect(answer.kind).toBe("mayHelp");
    expect(answer.text).toBe("");
    expect(new Set(answer.sources.map(({ url }) => url)).size).toBe(3);
  });

  test("leaves out passages that are gone meanwhile", async () => {
    const gone = knowing(PASSAGES, { readPassages: () => Promise.resolve(new Map()) });
    expect((await answerFromKnowledge(gone, "express parcels")).kind).toBe("none");
  });

  test("is found by way of a translation, where the message itself finds none", async () => {
    const translate = (message: string) =>
      message === "Wann kommt ein Eilpaket an?" ? "when do express parcels arrive?" : message;
    const answer = await answerFromKnowledge({ ...SHOP, translate }, "Wann kommt ein Eilpaket an?");
    expect(answer.passages[0]!.passage.title).toBe("Delivery");
    expect(answer.kind).not.toBe("none");
  });

  test("is the same each time", async () => {
    const ask = () => answerFromKnowledge(SHOP, "can I send shoes back after two weeks?");
    expect(await ask()).toEqual(await ask());
  });
});

const FILLER = "The weather in the mountains is often quite unlike the weather in the valley. ";

describe("what is shown", () => {
  const shown = async (body: string, message: string) =>
    (await answerFromKnowledge(knowing([...PASSAGES, passage("Cats", body)]), message)).text;

  test("is the best sentence with its neighbours, where the passage is long", async () => {
    const body = `${FILLER.repeat(4)}Neighbour one stands before. Purple cats eat marzipan on Fridays. Neighbour two stands behind. ${FILLER.repeat(4)}`;
    expect(await shown(body, "When do purple cats eat marzipan?")).toBe(
      "Neighbour one stands before. Purple cats eat marzipan on Fridays. Neighbour two stands behind.",
    );
  });

  test("is a list from its start, with the line that introduces it", async () => {
    const list =
      "Purple cats eat marzipan in this order:\n- first the almonds\n- then the sugar\n- at last the box";
    expect(
      await shown(
        `${FILLER.repeat(6)}\n${list}\n${FILLER.repeat(4)}`,
        "In which order do purple cats eat marzipan?",
      ),
    ).toBe(list);
  });

  test("of a long list is eight items, the best of them included", async () => {
    const items = Array.from(
      { length: 30 },
      (_, i) => `- item number ${i}${i === 20 ? " for purple cats that eat marzipan" : ""}`,
    );
    const text = await shown(
      `${FILLER.repeat(6)}\nAll items:\n${items.join("\n")}`,
      "which item is for purple cats that eat marzipan?",
    );
    expect(text.split("\n").filter((line) => line.startsWith("-")).length).toBeLessThanOrEqual(9);
    expect(text).toContain("purple cats");
  });

  test("is the beginning, where the title is the question", async () => {
    const faq = passage(
      "What do purple cats eat on Fridays?",
      `Almonds. Some like sugar as well. ${FILLER.repeat(8)}`,
    );
    const { text } = await answerFromKnowledge(
      knowing([...PASSAGES, faq]),
      "what do purple cats eat on fridays",
    );
    expect(text.startsWith("Almonds. Some like sugar as well.")).toBe(true);
    expect(text.length).toBeLessThan(faq.body.length);
  });

  test("is never longer than a visitor reads", async () => {
    const text = await shown("purple cats eat marzipan ".repeat(2000), "do purple cats eat marzipan?");
    expect(text.length).toBeLessThanOrEqual(401);
  });
});

describe("any message", () => {
  test("is answered or not, with a confidence between 0 and 1", async () => {
    const hostile = [
      ...HOSTILE_TEXTS,
      "\ud800",
      "\udc00\ud83d",
      "ي".repeat(3000),
      "สวัสดี".repeat(500),
      "取消".repeat(1000),
    ];
    for (const message of hostile) {
      const { confidence } = await answerFromKnowledge(SHOP, message);
      expect(confidence).toBeWithin(0, 1.0001);
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 500 }), async (message) => {
        const { confidence, kind, sources } = await answerFromKnowledge(SHOP, message);
        expect(confidence).toBeWithin(0, 1.0001);
        expect(sources.length).toBeLessThanOrEqual(kind === "none" ? 0 : 3);
      }),
    );
  });

  test("is looked for by a bounded number of words, the rarest, however long it is", () => {
    const message = Array.from({ length: 20_000 }, (_, i) => `word${i} the parcels`).join(" ");
    const { terms, units } = readQuestion(SHOP.index, message);
    expect(terms.length).toBeLessThanOrEqual(192);
    expect(units.length).toBeLessThanOrEqual(96);
    expect(units.map(({ text }) => text)).not.toContain("parcels");
  });
});

test.each([
  ["blanks", (length: number) => " ".repeat(length)],
  ["blank lines", (length: number) => " \n".repeat(length / 2)],
  ["initials", (length: number) => "A. ".repeat(length / 3)],
])("a passage of endless %s is read in time that grows with its length, and no faster", async (_, fill) => {
  const answer = async (length: number) => {
    const endless = passage("Endless", `purple cats ${fill(length)} eat marzipan`);
    await answerFromKnowledge(knowing([...PASSAGES, endless]), "do purple cats eat marzipan?");
  };
  expect(await growthOf(answer, 30_000)).toBeLessThan(10);
});

describe("of several passages that fit", () => {
  const CLUB = ["Members get a point for each dollar.", "A point is worth five cents.", "The club is free."];
  const ASKED = "how does the trail club work?";

  test("those of one document speak for each other, those of several against", async () => {
    const inOne = CLUB.map((body) => passage("Trail club", body, { documentId: "club.md" }));
    const inSeveral = CLUB.map((body, place) => passage("Trail club", body, { documentId: `${place}.md` }));
    const [one, several] = await Promise.all(
      [inOne, inSeveral].map((club) => answerFromKnowledge(knowing([...PASSAGES, ...club]), ASKED)),
    );
    expect(one!.confidence).toBeGreaterThan(several!.confidence + 0.1);
  });

  test("in one document, the heading that says the most of the question is the answer", async () => {
    const faq = (headings: readonly string[]) =>
      headings.map((heading) =>
        passage("Questions", "Write to us, and it is done within a day.", {
          documentId: "faq.md",
          headingPath: [heading],
        }),
      );
    const plain = knowing([...PASSAGES, ...faq(["Delete an account", "Change a name"])]);
    const twins = knowing([...PASSAGES, ...faq(["Delete an account", "Delete an account of a child"])]);
    const asked = "how do I delete the account of a child?";
    const [first, second] = await Promise.all(
      [plain, twins].map((parts) => answerFromKnowledge(parts, asked)),
    );
    expect(second!.passages[0]!.passage.headingPath).toEqual(["Delete an account of a child"]);
    expect(second!.confidence).toBeGreaterThan(first!.confidence);
  });
});
