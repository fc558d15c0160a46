import { describe, expect, test } from "bun:test";

import { openIntentModel } from "../../../../src/intent/classifier.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";

const intents = [
  {
    name: "orders",
    examples: ["track my order", "where is my order", "has my parcel left", "order status please"],
  },
  {
    name: "account",
    examples: ["delete my account", "close my account", "remove my profile", "erase my data"],
  },
  {
    name: "hours",
    examples: ["when do you open", "opening hours", "are you open today", "until when are you open"],
  },
];
const classifier = openIntentModel(trainIntentModel(intents).model);

function bestOf(text: string, from?: number, to?: number): string {
  const scan = classifier.scan(text);
  const scores = new Float32Array(intents.length);
  scan.score(from ?? 0, to ?? scan.length, scores);
  return classifier.intents[scores.indexOf(Math.max(...scores))]!;
}

describe("a scan", () => {
  test.each(intents.flatMap(({ name, examples }) => examples.map((text) => [text, name] as const)))(
    "of %s finds %s, as the classifier does",
    (text, name) => {
      expect(bestOf(text)).toBe(name);
      expect(classifier.classify(text).scores[0]!.intent as string).toBe(name);
    },
  );

  test("scores a stretch by its own words", () => {
    const text = "track my order and delete my account";
    expect(bestOf(text, 0, 3)).toBe("orders");
    expect(bestOf(text, 4, 7)).toBe("account");
  });

  test("scores a stretch the same, whatever stands around it", () => {
    const [alone, within] = [new Float32Array(3), new Float32Array(3)];
    classifier.scan("delete my account").score(1, 3, alone);
    classifier.scan("hello, delete my account now").score(3, 5, within);
    for (const [k, score] of alone.entries()) expect(within[k]!).toBeCloseTo(score, 4);
  });

  test("repairs misspelt words, and shows them as they were written", () => {
    expect(bestOf("delete my acccount")).toBe("account");
    expect(classifier.scan("delete my acccount").unit(2)).toBe("acccount");
  });

  test("of a text without words has no units", () => {
    expect(classifier.scan(" \n ").length).toBe(0);
  });
});

describe("signs and lines", () => {
  const signsOf = (text: string): string[] => {
    const scan = classifier.scan(text);
    return Array.from({ length: scan.length }, (_, i) => i)
      .filter((i) => scan.isSign(i))
      .map((i) => scan.unit(i));
  };

  test("punctuation and emoji are signs", () => {
    expect(signsOf("open? yes, (today) 👍。")).toEqual(["?", ",", "(", ")", "👍", "。"]);
  });

  test("hyphens and dots inside words and numbers are none", () => {
    expect(signsOf("e-mail est-ce 1.5 a_b x/y")).toEqual(["/"]);
  });

  test("a line begins after a line break", () => {
    const scan = classifier.scan("track it\n\ndelete it");
    expect([0, 1, 2, 3].map((i) => scan.startsLine(i))).toEqual([false, false, true, false]);
  });
});

describe("known words", () => {
  test("are those of the examples, in any case and with diacritics or not", () => {
    expect(["order", "ORDER", "órder", "parcel"].map((word) => classifier.knows(word))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test("are no others", () => {
    expect(["0rder", "or", "track my", "", "parce"].map((word) => classifier.knows(word))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
