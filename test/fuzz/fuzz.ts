import { fuzzBotFiles } from "./bot-files.ts";
import { fuzzCommandLines } from "./command-lines.ts";
import { fuzzHttp } from "./http.ts";
import type { FuzzOptions } from "./options.ts";
import { type Batches, Report } from "./report.ts";
import { fuzzTexts } from "./texts.ts";

type Fuzzer = (report: Report, batches: Batches, say: (line: string) => void) => Promise<void> | void;

/** Tries as much of each kind as the options say. */
export async function fuzz(options: FuzzOptions, say: (line: string) => void): Promise<Report> {
  const report = new Report();
  const { seed, seconds, stores } = options;
  const parts: [string, Fuzzer, number][] = [
    ["texts", fuzzTexts, options.texts],
    ["bot files", fuzzBotFiles, options.botFiles],
    ["command lines", fuzzCommandLines, options.commandLines],
    ...stores.map((store): [string, Fuzzer, number] => [
      "requests",
      (...fuzzed) => fuzzHttp(...fuzzed, { store }),
      options.requests,
    ]),
  ];
  say(`seed ${seed}`);
  for (const [name, run, inputs] of parts) {
    if (inputs === 0) continue;
    const startedAt = performance.now();
    await run(report, { seed, inputs, until: startedAt + seconds * 1000 }, say);
    say(
      `${name}: ${report.tried.get(name)} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s, findings so far ${report.findingCount}`,
    );
  }
  return report;
}
