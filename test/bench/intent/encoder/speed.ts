/**
 * How long the sentence encoder takes, by number of pieces, and what a thread of its own costs:
 * `bun test/bench/intent/encoder/speed.ts`.
 */
import { readFileSync } from "node:fs";

import { EncoderThread } from "../../../../src/intent/encoder/encoder-thread.ts";
import { PlainEncoder } from "../../../support/plain-encoder.ts";

const ROOM = `${import.meta.dir}/../../../../src/intent/encoder`;
const REQUESTS = `${ROOM}/../../../test/support/general-requests/en.txt`;
const LENGTHS = [2, 4, 6, 8, 11, 15, 20, 30, 40, 60, 90, 128];
const ROUNDS = 60;
/** WebAssembly is compiled anew, and better, after the first hundreds of calls. */
const WARM_UP_MS = 1500;

function percentile(sorted: readonly number[], share: number): string {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(2);
}

function timed(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function describe(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return [0.5, 0.95, 0.99].map((share) => percentile(sorted, share).padStart(8)).join("");
}

const before = process.memoryUsage.rss();
const openedAt = performance.now();
const encoder = PlainEncoder.open();
const openMs = performance.now() - openedAt;
const firstMs = timed(() => encoder.encode("how do i reset my password"));
const requests = readFileSync(REQUESTS, "utf8").trimEnd().split("\n");
for (let until = performance.now() + WARM_UP_MS, i = 0; performance.now() < until; i++) {
  encoder.encode(requests[i % requests.length]!);
}
const grownBy = (process.memoryUsage.rss() - before) / 1e6;
console.log(
  `opened in ${openMs.toFixed(1)} ms, first call ${firstMs.toFixed(1)} ms, memory + ${grownBy.toFixed(0)} MB`,
);

console.log("\npieces, then ms: median, 95 and 99 of 100");
const words = requests.join(" ").split(" ");
for (const length of LENGTHS) {
  const texts = Array.from({ length: ROUNDS }, (_, i) => textOf(length, i * 97));
  const times = texts.map((text) => timed(() => encoder.encode(text)));
  console.log(String(length).padStart(6), describe(times));
}

/** Words of requests, up to so many pieces. */
function textOf(pieces: number, from: number): string {
  let text = words[from]!;
  for (let i = from + 1; encoder.countPieces(text) < pieces; i++) text += ` ${words[i]}`;
  return text;
}

const sample = requests.filter((_, i) => i % 10 === 0);
const counts = sample.map((text) => encoder.countPieces(text));
const meanCount = counts.reduce((sum, count) => sum + count, 0) / counts.length;
console.log(`\n${sample.length} general requests, ${meanCount.toFixed(1)} pieces on average`);
console.log("here  ", describe(sample.map((text) => timed(() => encoder.encode(text)))));

const atThread = process.memoryUsage.rss();
using thread = new EncoderThread(new URL(`file://${ROOM}/encoder-worker.ts`));
async function throughThread(texts: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const text of texts) {
    const startedAt = performance.now();
    await thread.encode(text);
    times.push(performance.now() - startedAt);
  }
  return times;
}
const [started] = await throughThread(["hello"]);
await throughThread(sample);
console.log("thread", describe(await throughThread(sample)));
const threadGrownBy = (process.memoryUsage.rss() - atThread) / 1e6;
console.log(`its first answer took ${started!.toFixed(1)} ms, memory + ${threadGrownBy.toFixed(0)} MB`);
console.log("blanks, to the thread and back", describe(await throughThread(sample.map(() => " "))));
