import { expect, test } from "bun:test";

import { encodeSentence } from "../../../../src/intent/encoder/encoded-sentence.ts";
import { quantiseVectors } from "../../../../src/intent/encoder/quantised-rows.ts";
import { packRequestVectors, RequestVectors } from "../../../../src/intent/encoder/request-vectors.ts";
import { asEncoded, openSentenceEncoder } from "../../../../src/intent/encoder/sentence-encoder.ts";
import { generalRequestsIn } from "../../../support/general-requests.ts";

const encode = (text: string) => openSentenceEncoder()!.encodeCentred(text)!;

test("the nearest of packed vectors is found", () => {
  const texts = ["where is my order", "tell me a joke", "play some music", "good morning"];
  const vectors = RequestVectors.unpack(
    new Uint8Array(packRequestVectors(quantiseVectors(texts.map(encode)))),
  );
  const music = encode("play a song");
  const cosines = texts.map((text) => encode(text).reduce((sum, value, d) => sum + value * music[d]!, 0));
  expect(vectors.nearest(music)).toBeCloseTo(Math.max(...cosines), 2);
  expect(vectors.nearest(encode("tell me a joke"))).toBeCloseTo(1, 2);
});

test("the stored vectors are those of general requests, by the encoder of today", () => {
  const [request] = generalRequestsIn("en");
  expect(encodeSentence(asEncoded(request!))!.requestCosine).toBeGreaterThan(0.99);
  expect(encodeSentence("the quarterly zinc plating audit of hull seventeen")!.requestCosine).toBeLessThan(
    0.6,
  );
});
