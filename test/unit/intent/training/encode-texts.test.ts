import { expect, test } from "bun:test";

import { encodeTexts, withKeptVectors } from "../../../../src/intent/training/encode-texts.ts";

test("what training encoded is not encoded again where a held-out example is judged", async () => {
  const asked: string[] = [];
  const encoder = {
    encode: async ({ text }: { text: string }) => {
      asked.push(text);
      return Float32Array.of(asked.length);
    },
  };
  const trained = await encodeTexts(encoder, ["a held-out example", "another"], () => undefined);
  const again = withKeptVectors(encoder);
  expect(await again.encode({ form: "message", text: "a held-out example" })).toEqual(
    trained.get("a held-out example"),
  );
  expect(asked).toEqual(["a held-out example", "another"]);
  await again.encode({ form: "passage", text: "another" });
  expect(asked).toHaveLength(3);
});
