import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { ENCODER_VERSION } from "../../../../src/intent/classifier.ts";

test("the encoder's version names its files", () => {
  const hash = createHash("sha256");
  for (const file of ["encoder.bin", "vocabulary.txt"])
    hash.update(readFileSync(new URL(`../../../../src/intent/encoder/${file}`, import.meta.url)));
  expect(ENCODER_VERSION.split("-").at(-1)).toBe(hash.digest("hex").slice(0, 12));
});
