import { rmSync } from "node:fs";

import * as fc from "fast-check";
import { parse } from "yaml";

import type { OperatorPermission } from "../../src/domain/operator/access.ts";
import {
  type ServingExecutable,
  emptyFolder,
  runExecutable,
  serveExecutable,
} from "../support/executable.ts";
import { makeOperatorKey } from "../support/operator-key.ts";
import { databaseFor, type StoreName } from "../support/store-option.ts";
import { SMALL } from "./bot-files.ts";
import { anyOperatorRequest } from "./operator-requests.ts";
import { type RawAnswer, sendRaw } from "./raw-request.ts";
import { type Batches, type Report, batchesOf, isServerError } from "./report.ts";
import { type RawRequest, type Target, anyRequest } from "./requests.ts";

const SAMPLES = ["acme-support", "city-kiosk", "riverside-clinic"];
/** What operators change, so that visitors of the samples go on being answered. */
const CHANGED = "small";
/** Its limits would hold for whoever has a token for the samples as well. */
const CHANGED_YAML = SMALL.replaceAll(/^(rateLimit|monthlyMessageCap):.*\n/gm, "");
const HANDOFFS = 20;
const PERMISSIONS: readonly OperatorPermission[] = ["read", "bots.write", "bots.delete", "handoffs.answer"];
const CONCURRENCY = 24;
/** An idle server has 120 MB (the goal of the bench). What is beyond this is a leak, or a bomb. */
const MAX_MEGABYTES = 512;
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

interface HttpOptions {
  store: StoreName;
  samples?: readonly string[];
}

/** Sends odd requests to both listeners of a real server, some with a token or an operator's key. It answers none with 5xx, stays up, and stays small. */
export async function fuzzHttp(
  report: Report,
  batches: Batches,
  say: (line: string) => void,
  { store, samples = SAMPLES }: HttpOptions,
): Promise<void> {
  const folder = emptyFolder();
  await using database = await databaseFor(store);
  const { env } = database;
  try {
    const token = await seedSamples(folder, samples, env);
    await using server = await serveExecutable(folder, FLAGS, env);
    const target = {
      token,
      botIds: samples,
      operatorKey: await makeOperatorKey(server, { cwd: folder, env, permissions: PERMISSIONS }),
      changedBot: { id: CHANGED, yaml: CHANGED_YAML },
      handoffIds: await openHandoffs(server, token),
    };
    const requests = fc.oneof(
      { weight: 2, arbitrary: anyRequest(target) },
      { weight: 1, arbitrary: anyOperatorRequest(target) },
    );
    for (const batch of batchesOf(requests, batches)) {
      await sendAll(report, server, batch);
      await lookAfter(report, server, target);
      if ((report.tried.get("requests") ?? 0) % 5000 === 0)
        say(`requests ${report.tried.get("requests")}, 5xx ${report.serverErrors}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function seedSamples(
  folder: string,
  samples: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const documents = await Promise.all(
    samples.map(async (name) => {
      const sample = await Bun.file(`${import.meta.dir}/../../data/${name}.yaml`).text();
      return withoutLimits(sample);
    }),
  );
  const stdin = [...documents, withoutLimits(SMALL)].join("\n---\n");
  const seeded = await runExecutable(["seed", "-", "--no-review"], { cwd: folder, env, stdin });
  if (seeded.exitCode !== 0) throw new Error(seeded.stderr);
  const ids = [...samples, CHANGED].flatMap((id) => ["--bot", id]);
  const created = await runExecutable(["token", "create", ...ids], { cwd: folder, env });
  return created.stdout.trim();
}

function withoutLimits(sample: string): string {
  const { rateLimit: _, monthlyMessageCap: __, ...bot } = parse(sample) as Record<string, unknown>;
  return JSON.stringify(bot);
}

async function openHandoffs({ url }: ServingExecutable, token: string): Promise<string[]> {
  const opened = Array.from({ length: HANDOFFS }, async () => {
    const answer = await fetch(`${url}/handoff`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ botId: CHANGED, message: "Please call" }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as { handoffId: string }).handoffId;
  });
  return Promise.all(opened);
}

async function sendAll(report: Report, server: ServingExecutable, batch: RawRequest[]): Promise<void> {
  const ports = [server.url, server.operatorUrl].map((url) => Number(new URL(url).port));
  const queue = batch.entries();
  const worker = async () => {
    for (const [index, request] of queue) {
      // Of those that are for nobody in particular, one in ten goes to the listener for operators.
      const { listener = index % 10 === 9 ? "operator" : "public" } = request;
      const answer = await sendRaw(ports[listener === "operator" ? 1 : 0]!, request);
      const { status, isLate } = answer;
      report.count("requests");
      if (isOverloaded(answer)) {
        report.overloaded++;
        continue;
      }
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

/** Uploads, and texts that are checked, wait in queues with bounds; the API says so of them. */
function isOverloaded({ status, received }: RawAnswer): boolean {
  return status === 503 && received.includes('"code":"OVERLOADED"') && /^retry-after: \d+/im.test(received);
}

/** A visitor who comes now is answered, and the process has not grown. */
async function lookAfter(
  report: Report,
  server: ServingExecutable,
  { token, botIds }: Pick<Target, "token" | "botIds">,
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
  if (report.residentMegabytes > MAX_MEGABYTES) report.note("memory", `${report.residentMegabytes} MB`);
}
