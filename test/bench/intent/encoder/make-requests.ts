/**
 * Makes src/intent/encoder/requests.bin anew: what the sentence encoder makes of every sixth general English request. To be run again
 * whenever the encoder's weights or the requests change: `bun test/bench/intent/encoder/make-requests.ts`.
 */
import { writeFileSync } from "node:fs";

import { quantiseVectors } from "../../../../src/intent/encoder/quantised-rows.ts";
import { packRequestVectors } from "../../../../src/intent/encoder/request-vectors.ts";
import { asEncoded, openSentenceEncoder } from "../../../../src/intent/encoder/sentence-encoder.ts";
import { generalRequestsIn } from "../../../support/general-requests.ts";

/**
 * All of them would take 3.5 MB. Told apart from near-domain questions on tuning bots (AUROC): 0.824 without requests, 0.825 with 400,
 * 0.837 with 800, 0.838 with 1,600, 0.837 with 6,700.
 */
const ONE_OF = 6;

const encoder = openSentenceEncoder();
if (!encoder) throw new Error("this processor or runtime has no SIMD");
const requests = generalRequestsIn("en").filter((_, i) => i % ONE_OF === 0);
const vectors = requests.flatMap((request) => encoder.encodeCentred(asEncoded(request)) ?? []);
// The kernel takes them in pairs.
if (vectors.length % 2 !== 0) vectors.pop();
const bytes = packRequestVectors(quantiseVectors(vectors));
writeFileSync(`${import.meta.dir}/../../../../src/intent/encoder/requests.bin`, bytes);
console.log(`${vectors.length} requests, ${bytes.length} bytes`);
