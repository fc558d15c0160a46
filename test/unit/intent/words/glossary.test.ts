import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { englishMeanings } from "../../../../src/intent/words/english-meanings.ts";
import { meaningsOf, readGlossary } from "../../../../src/intent/words/glossary.ts";
import { SHORTEST_STEM, type WordMeanings } from "../../../../src/intent/words/word-meanings.ts";
import { LANGUAGES } from "../../../../src/text/languages.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";
import { TokenBuffer } from "../../../../src/text/tokenise.ts";
import { hashWord } from "../../../../src/text/word-hash.ts";
import { generalRequestsIn } from "../../../support/general-requests.ts";

function find(meanings: WordMeanings, word: string): number {
  const tokens = new TokenBuffer();
  tokens.read(normaliseText(word));
  return meanings.findForm(hashWord(tokens.codeUnits, tokens.starts[0]!, tokens.ends[0]!), tokens, 0);
}

const similarity = (meanings: WordMeanings, one: string, other: string) =>
  meanings.greatestSimilarity(find(meanings, one), meanings.select([find(meanings, other)]));

describe("a glossary", () => {
  const meanings = readGlossary(
    ["factura* invoice", "facturacion billing", "fac friend", "foo qwxyz"],
    englishMeanings(),
  );

  test("gives a word the meaning of its English one", () => {
    expect(similarity(meanings, "factura", "invoice")).toBeGreaterThan(0.97);
  });

  test("finds other forms by their stem, and the longest entry first", () => {
    expect(find(meanings, "facturas")).toBe(find(meanings, "factura"));
    expect(find(meanings, "Facturación")).not.toBe(find(meanings, "factura"));
    expect(find(meanings, "fac")).not.toBe(find(meanings, "factura"));
    expect(find(meanings, "fact")).toBe(find(englishMeanings(), "fact"));
  });

  test("lets English words stand for themselves where they say something", () => {
    expect(find(meanings, "password")).toBe(find(englishMeanings(), "password"));
    expect(find(meanings, "the")).toBe(-1);
  });

  test("looks no further into a word than its longest stem", () => {
    const endless = `factura${"s".repeat(100_000)}`;
    expect(find(meanings, endless)).toBe(find(meanings, "facturas"));
  });

  test("leaves out what it cannot place", () => {
    expect(find(meanings, "foo")).toBe(find(englishMeanings(), "foo"));
    expect(find(meanings, "quiddestrasse")).toBe(-1);
  });
});

test.each([
  ["es", "devolver", "reembolso", "tiempo"],
  ["fr", "facture", "paiement", "chien"],
  ["it", "pacco", "consegna", "musica"],
  ["de", "Rechnung", "bezahlen", "Wetter"],
  ["nl", "wachtwoord", "inloggen", "regen"],
  ["pt", "encomenda", "entrega", "filme"],
] as const)("in %s, %s is more like %s than like %s", (language, word, like, unlike) => {
  const meanings = meaningsOf(language);
  expect(similarity(meanings, word, like)).toBeGreaterThan(similarity(meanings, word, unlike) + 0.1);
});

describe.each(LANGUAGES.filter((language) => language !== "en"))("the glossary of %s", (language) => {
  const folder = new URL(`../../../../src/text/languages/${language}/`, import.meta.url);
  const lines = readFileSync(new URL("glossary.txt", folder), "utf8").trimEnd().split("\n");

  test("holds a word or stem and one to three English words in each line", () => {
    const form = new RegExp(String.raw`^(\p{L}+|\p{L}{${SHORTEST_STEM},}\*)( [a-z]+){1,3}$`, "u");
    expect(lines.filter((line) => !form.test(line))).toEqual([]);
  });

  test("holds each but once", () => {
    const entries = lines.map((line) => normaliseText(line).split(" ")[0]!);
    expect(entries.filter((entry, i) => entries.indexOf(entry) !== i)).toEqual([]);
  });

  test("is known to English, but for a few", () => {
    const unknown = lines.filter((line) =>
      line
        .split(" ")
        .slice(1)
        .every((gloss) => find(englishMeanings(), gloss) < 0),
    );
    expect(unknown.length).toBeLessThan(lines.length / 50);
  });
});

describe.each(LANGUAGES)("the general requests in %s", (language) => {
  const requests = generalRequestsIn(language);

  test("are a thousand or more, of a few words each, none twice", () => {
    const bare = requests.map((request) => normaliseText(request).replaceAll(/[^\p{L}\p{N} ]/gu, ""));
    expect(requests.length).toBeGreaterThan(900);
    expect(
      requests.filter((request) => request.trim() !== request || request.length < 4 || request.length > 160),
    ).toEqual([]);
    expect(bare.filter((request, i) => bare.indexOf(request) !== i)).toEqual([]);
  });
});
