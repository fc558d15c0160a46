/**
 * Makes src/intent/sentences/requests-mean.bin anew: the mean of what the encoder makes of general requests, in 32-bit floats. To be run
 * again whenever the encoder's weights or the requests change: `bun test/bench/intent/encoder/make-mean.ts`, 6 s.
 */
import { writeFileSync } from "node:fs";

import { openEncoder } from "../../../../src/intent/encoder/encoder.ts";
import { LANGUAGES } from "../../../../src/text/languages.ts";
import { generalRequestsIn } from "../../../support/general-requests.ts";

/** Of each language, spread over those there are. */
const REQUESTS = 60;

const encoder = openEncoder();
if (!encoder) throw new Error("this processor or runtime has no SIMD");
const texts = LANGUAGES.flatMap((language) => {
  const all = generalRequestsIn(language);
  return Array.from({ length: REQUESTS }, (_, i) => all[Math.floor((i * all.length) / REQUESTS)]!);
});
const mean = new Float32Array(encoder.width);
for (const text of texts) {
  const vector = encoder.encode({ form: "message", text })!;
  vector.forEach((value, d) => (mean[d]! += value / texts.length));
}
writeFileSync(
  `${import.meta.dir}/../../../../src/intent/sentences/requests-mean.bin`,
  new Uint8Array(mean.buffer),
);
console.log(`${texts.length} requests, a mean of length ${Math.hypot(...mean).toFixed(3)}`);
