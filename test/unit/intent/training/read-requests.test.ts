import { expect, test } from "bun:test";

import { FeatureBuffer } from "../../../../src/intent/features/features.ts";
import { SparseVector } from "../../../../src/intent/features/sparse-vector.ts";
import { readRequests } from "../../../../src/intent/training/read-requests.ts";
import { englishMeanings } from "../../../../src/intent/words/english-meanings.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";
import { TokenBuffer } from "../../../../src/text/tokenise.ts";

const REQUESTS = ["where is my order", "Tell me a joke!", "???", "qwxyz"];

test("requests that were read make the same vectors as texts that are read anew", () => {
  const index = { find: (hash: number) => (hash >>> 1) % 1000 };
  const idf = new Float32Array(1000).fill(1);
  const [tokens, features] = [new TokenBuffer(), new FeatureBuffer()];
  const [anew, kept] = [new SparseVector(), new SparseVector()];
  for (const [i, read] of readRequests(REQUESTS, englishMeanings()).entries()) {
    tokens.read(normaliseText(REQUESTS[i]!));
    features.read(tokens);
    anew.count(features, index);
    anew.addMeaning(features, englishMeanings());
    anew.weigh(idf);
    kept.count(read.features, index);
    kept.addSummedMeaning(read.meaning);
    kept.weigh(idf);
    expect(kept.rows.slice(0, kept.length)).toEqual(anew.rows.slice(0, anew.length));
    expect(kept.values.slice(0, kept.length)).toEqual(anew.values.slice(0, anew.length));
  }
});

test("a list is read once with meanings, and once without", () => {
  const [first, plain] = [readRequests(REQUESTS, englishMeanings()), readRequests(REQUESTS, undefined)];
  expect(readRequests(REQUESTS, englishMeanings())).toBe(first);
  expect(readRequests(REQUESTS, undefined)).toBe(plain);
  expect(plain.map(({ meaning }) => meaning)).toEqual(REQUESTS.map(() => undefined));
  expect(first[0]!.meaning).toBeDefined();
});
