import { describe, expect, test } from "bun:test";

import { PhraseTable } from "../../../../src/intent/gloss/phrase-table.ts";
import { readPhrases } from "../../../../src/intent/gloss/read-phrases.ts";
import { splitWords } from "../../../../src/intent/gloss/split-words.ts";
import { WordTable } from "../../../../src/intent/gloss/word-table.ts";

const phrases = new PhraseTable();
const words = new WordTable();
readPhrases(
  "wie viel = how much\nwie viel kost* = how much does it cost\nhabt ihr ... auf = are you open\nab|sag,bestell = cancel\nan|reis = arrive\n",
  phrases,
  words,
);

function find(text: string, start = 0, taken: readonly number[] = []) {
  const split = splitWords(text, "de");
  const isTaken = new Uint8Array(split.length);
  for (const word of taken) isTaken[word] = 1;
  const found = phrases.find(split, start, isTaken);
  return found && { gloss: found.phrase.gloss, tailStart: found.tailStart };
}

describe("a phrase", () => {
  test("is found by its words, the longest first", () => {
    expect(find("wie viel zeit")?.gloss).toBe("how much");
    expect(find("Wie viel kostet das")?.gloss).toBe("how much does it cost");
    expect(find("das wie viel")).toBeUndefined();
    expect(find("das wie viel", 1)?.gloss).toBe("how much");
  });

  test("does not reach over the end of a clause", () => {
    expect(find("wie, viel")).toBeUndefined();
    expect(find("habt ihr zeit? auf")).toBeUndefined();
  });

  test("may have a few words between its parts", () => {
    expect(find("habt ihr samstags auf")).toEqual({ gloss: "are you open", tailStart: 3 });
    expect(find("habt ihr a b c d e f auf")).toBeUndefined();
  });

  test("takes no word that another has taken", () => {
    expect(find("habt ihr samstags auf", 0, [3])).toBeUndefined();
  });
});

describe("a separable verb", () => {
  test("is found with its particle at the end of the clause", () => {
    expect(find("sagen sie den termin bitte ab, danke")).toEqual({ gloss: "cancel", tailStart: 5 });
    expect(find("sage den termin ab und komme später")?.gloss).toBe("cancel");
    expect(find("sage den termin ab montag an")).toBeUndefined();
  });

  test("is no noun that begins like it", () => {
    expect(find("reiseversicherung fängt morgen an")).toBeUndefined();
  });

  test("is found in one word too", () => {
    for (const form of ["absagen", "abgesagt", "abzusagen", "abbestellt"]) {
      expect(words.find(form)?.gloss).toBe("cancel");
    }
  });
});
