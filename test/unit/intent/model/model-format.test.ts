import { expect, test } from "bun:test";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { openIntentModel } from "../../../../src/intent/classifier.ts";
import { MODEL_VERSION } from "../../../../src/intent/model/model-format.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";

const { model } = trainIntentModel([
  { name: "greet", examples: ["hello", "good morning"] },
  { name: "leave", examples: ["bye", "see you later"] },
]);

test("a model reads the same wherever its bytes lie in memory", () => {
  const shifted = new Uint8Array(model.length + 3);
  shifted.set(model, 3);
  const here = openIntentModel(model).classify("hello you");
  expect(openIntentModel(shifted.subarray(3)).classify("hello you")).toEqual(here);
});

test.each([
  ["empty bytes", new Uint8Array(0), "not an intent model"],
  ["other bytes", new TextEncoder().encode("SQLite format 3\u{0}"), "not an intent model"],
  ["bytes cut off", model.slice(0, model.length - 200), "cut off"],
])("%s are refused", (_, bytes, message) => {
  expect(() => openIntentModel(bytes)).toThrow(message);
});

test("a model of another version is refused", () => {
  const other = model.slice();
  new Int32Array(other.buffer)[1] = 999;
  expect(() => openIntentModel(other)).toThrow("train it again");
});

test("the version goes with the encoder, whose vectors stored models hold", () => {
  const encoder = join(import.meta.dir, "../../../../src/intent/encoder");
  const digests = ["encoder.bin", "vocabulary.txt"].map((name) =>
    hash("sha256", readFileSync(join(encoder, name))).slice(0, 12),
  );
  // Where a file changes, so does the version: models with vectors of another encoder are not to be opened.
  expect([MODEL_VERSION, ...digests]).toEqual([14, "dbc494762732", "3892bfa32975"]);
});
