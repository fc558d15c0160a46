/**
 * A hundred thousand passages in the executable: `bun test/bench/knowledge/server-scale.ts` seeds them, asks the English questions of the data
 * set one after another, and prints the times of answers and the server's memory. `npm run build` comes first.
 */
import { readFileSync } from "node:fs";

import { dataFolder, loadDataSet } from "./data-sets.ts";
import { type ServedDocuments, serveDocuments } from "./executable-bot.ts";
import { quantileOf } from "./figures.ts";
import { syntheticPassages } from "./synthetic.ts";

const PASSAGES = 100_000;
/** Sections of a page. */
const PER_PAGE = 40;
/** Number of questions, so that the run takes a minute. */
const ASKED = 300;

const questions = loadDataSet(dataFolder(), "xquad-en");

function* pages(): Generator<{ path: string; text: string }> {
  let page: string[] = [];
  let number = 0;
  for (const { id, title, body } of syntheticPassages(questions.passages, PASSAGES)) {
    page.push(`## ${title} ${id}\n\n${body}\n`);
    if (page.length < PER_PAGE) continue;
    yield { path: `${number % 50}/${number}.md`, text: page.join("\n") };
    number++;
    page = [];
  }
}

function residentMegabytes({ server }: ServedDocuments): number {
  const [, kilobytes] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1000;
}

interface Asked {
  milliseconds: number;
  /** Time of the decision, from the receipt. */
  decideMs: number;
  isWeighed: boolean;
}

interface ExportedConversation {
  turns: {
    requestId: string;
    receipt: { stagesMs: Record<string, number>; knowledge?: { meaning?: string } };
  }[];
}

/** One question after the other. */
async function askAll(served: ServedDocuments, texts: readonly string[]): Promise<Asked[]> {
  const waited = new Map<string, number>();
  for (const text of texts) {
    const { requestId, milliseconds } = await served.ask(text);
    waited.set(requestId, milliseconds);
  }
  const lines = (await served.run("conversation", "export", "--jsonl")).trim().split("\n");
  return lines.flatMap((line) =>
    (JSON.parse(line) as ExportedConversation).turns.flatMap(({ requestId, receipt }) => {
      const milliseconds = waited.get(requestId);
      if (milliseconds === undefined) return [];
      const { stagesMs, knowledge } = receipt;
      return [
        { milliseconds, decideMs: stagesMs["decide"] ?? 0, isWeighed: knowledge?.meaning !== undefined },
      ];
    }),
  );
}

function print(name: string, values: readonly number[]): void {
  const [p50, p99] = [quantileOf(values, 0.5), quantileOf(values, 0.99)];
  console.log(`${name.padEnd(52)} p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms (${values.length})`);
}

await using served = await serveDocuments(pages());
console.log(served.seeded);
console.log(`seeded in ${served.seedSeconds.toFixed(0)} s`);
await served.ask("hello");
const before = residentMegabytes(served);
const start = performance.now();
await served.ask(questions.questions[0]!.text);
console.log(`first question, for which the index is read: ${(performance.now() - start).toFixed(0)} ms`);
const asked = await askAll(
  served,
  questions.questions.slice(1, ASKED + 1).map(({ text }) => text),
);
await Bun.sleep(5000);
console.log(
  `memory: ${before.toFixed(0)} MB before the first question, ${residentMegabytes(served).toFixed(0)} MB now`,
);
const byWords = asked.filter(({ isWeighed }) => !isWeighed);
const weighed = asked.filter(({ isWeighed }) => isWeighed);
print(
  "an answer, as its caller waits for it: words are sure",
  byWords.map(({ milliseconds }) => milliseconds),
);
print(
  "  of that, to decide",
  byWords.map(({ decideMs }) => decideMs),
);
if (weighed.length > 0) {
  print(
    "where what it means is weighed",
    weighed.map(({ milliseconds }) => milliseconds),
  );
  print(
    "  of that, to decide",
    weighed.map(({ decideMs }) => decideMs),
  );
}
