import { rmSync } from "node:fs";

import { parse } from "yaml";

import {
  type ServingExecutable,
  emptyFolder,
  runExecutable,
  serveExecutable,
} from "../support/executable.ts";
import { sendRaw } from "./raw-request.ts";
import { type Batches, type Report, batchesOf, isServerError } from "./report.ts";
import { type RawRequest, type Target, anyRequest } from "./requests.ts";

const SAMPLES = ["acme-support", "city-kiosk", "riverside-clinic"];
const CONCURRENCY = 24;
/** An idle server has 120 MB (the goal of the bench). What is beyond this is a leak, or a bomb. */
const MOST_MEGABYTES = 512;
const FLAGS = [
  "--demo",
  "--log-level",
  "silent",
  "--trust-proxy",
  "127.0.0.1",
  "--rate-limit-capacity",
  "1000000",
  "--rate-limit-per-minute",
  "1000000",
];

/** Sends odd requests to both listeners of a real server. It answers none with 5xx, stays up, and stays small. */
export async function fuzzHttp(
  report: Report,
  batches: Batches,
  say: (line: string) => void,
  samples: readonly string[] = SAMPLES,
): Promise<void> {
  const folder = emptyFolder();
  try {
    const token = await seedSamples(folder, samples);
    await using server = await serveExecutable(folder, FLAGS);
    const target = { token, botIds: samples };
    for (const batch of batchesOf(anyRequest(target), batches)) {
      await sendAll(report, server, batch);
      await lookAfter(report, server, target);
      if ((report.tried.get("requests") ?? 0) % 5000 === 0)
        say(`requests ${report.tried.get("requests")}, 5xx ${report.serverErrors}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function seedSamples(folder: string, samples: readonly string[]): Promise<string> {
  const documents = await Promise.all(
    samples.map(async (name) => {
      const sample = await Bun.file(`${import.meta.dir}/../../data/${name}.yaml`).text();
      const { rateLimit: _, monthlyMessageCap: __, ...bot } = parse(sample) as Record<string, unknown>;
      return JSON.stringify(bot);
    }),
  );
  const stdin = documents.join("\n---\n");
  const seeded = await runExecutable(["seed", "-", "--no-review"], { cwd: folder, stdin });
  if (seeded.exitCode !== 0) throw new Error(seeded.stderr);
  const created = await runExecutable(["token", "create", ...samples.flatMap((id) => ["--bot", id])], {
    cwd: folder,
  });
  return created.stdout.trim();
}

async function sendAll(report: Report, server: ServingExecutable, batch: RawRequest[]): Promise<void> {
  const ports = [server.url, server.operatorUrl].map((url) => Number(new URL(url).port));
  const queue = batch.entries();
  const worker = async () => {
    for (const [index, request] of queue) {
      // One in ten goes to the listener for operators.
      const port = ports[index % 10 === 9 ? 1 : 0]!;
      const { status, isLate } = await sendRaw(port, request);
      report.count("requests");
      report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1);
      if (isServerError(status) || isLate) {
        report.note(
          isLate ? "no answer" : `status ${status}`,
          JSON.stringify(request.bytes.toString("latin1").slice(0, 500)),
        );
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** A visitor who comes now is answered, and the process has not grown. */
async function lookAfter(
  report: Report,
  server: ServingExecutable,
  { token, botIds }: Target,
): Promise<void> {
  if (server.process.exitCode !== null) throw new Error(`the server ended with ${server.process.exitCode}`);
  const answer = await fetch(`${server.url}/chat`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Origin: "http://localhost",
    },
    body: JSON.stringify({ botId: botIds[0], input: "where is my order" }),
  });
  if (answer.status !== 200) report.note("a good message", `${answer.status}: ${await answer.text()}`);
  const metrics = await (await fetch(`${server.operatorUrl}/metrics`)).text();
  report.residentMegabytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / 1e6;
  if (report.residentMegabytes > MOST_MEGABYTES) report.note("memory", `${report.residentMegabytes} MB`);
}
