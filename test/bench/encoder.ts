import { EncoderThread } from "../../src/intent/encoder/encoder-thread.ts";
/** `npm run bench -- --encoder`: time of the encoder by the number of pieces of a text, and the time that its thread adds. */
import { type EncoderInput, openEncoder } from "../../src/intent/encoder/encoder.ts";
import { generalRequestsIn } from "../support/general-requests.ts";

const LENGTHS = [8, 16, 32, 64, 114];
const ROUNDS = 60;
/** Time before the measurement: WebAssembly is compiled again, with more optimisation, after the first hundreds of calls. */
const WARM_UP_MS = 3000;

export async function printEncoder(): Promise<void> {
  const before = process.memoryUsage.rss();
  const [encoder, openMs] = await timed(() => openEncoder()!);
  const [, firstMs] = await timed(() => encoder.encode(message("how do i reset my password")));
  console.log(`opened in ${openMs.toFixed(0)} ms, first call ${firstMs.toFixed(1)} ms`);
  const requests = generalRequestsIn("en").filter((_, i) => i % 20 === 0);
  const words = requests.join(" ").split(" ");
  for (let until = performance.now() + WARM_UP_MS, i = 0; performance.now() < until; i++)
    encoder.encode(message(requests[i % requests.length]!));
  console.log(`memory + ${((process.memoryUsage.rss() - before) / 1e6).toFixed(0)} MB`);

  console.log("\npieces, start and end included: ms, least, median, 95 and 99 of 100");
  for (const length of LENGTHS) {
    const texts = Array.from({ length: ROUNDS }, (_, i) => textOf(length, i * 7));
    const times: number[] = [];
    for (const text of texts) times.push((await timed(() => encoder.encode(text)))[1]);
    console.log(`${String(length).padStart(6)}${describe(times)}`);
  }

  const counts = requests.map((text) => encoder.piecesOf(message(text))!.length);
  console.log(`\n${requests.length} general requests, ${mean(counts).toFixed(1)} pieces on average`);
  console.log(`here  ${describe(await eachOf((text) => encoder.encode(message(text))))}`);
  using thread = new EncoderThread();
  const [, startMs] = await timed(() => thread.encode(message("hello")));
  await eachOf((text) => thread.encode(message(text)));
  console.log(`thread${describe(await eachOf((text) => thread.encode(message(text))))}`);
  console.log(`its first answer took ${startMs.toFixed(0)} ms`);

  function eachOf(encode: (text: string) => unknown): Promise<number[]> {
    return timesOf(requests, encode);
  }

  /** Words of requests, up to so many pieces; encoded as a passage, because messages are cut sooner. */
  function textOf(pieces: number, from: number): EncoderInput {
    let text = words[from]!;
    const passage = (): EncoderInput => ({ form: "passage", text });
    for (let i = from + 1; encoder.piecesOf(passage())!.length < pieces; i++) text += ` ${words[i]}`;
    return passage();
  }
}

function message(text: string): EncoderInput {
  return { form: "message", text };
}

async function timesOf(texts: readonly string[], encode: (text: string) => unknown): Promise<number[]> {
  const times: number[] = [];
  for (const text of texts) times.push((await timed(() => encode(text)))[1]);
  return times;
}

async function timed<Result>(work: () => Result): Promise<[Awaited<Result>, number]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, performance.now() - startedAt];
}

function describe(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return [0, 0.5, 0.95, 0.99]
    .map((share) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(2).padStart(8))
    .join("");
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
