import * as fc from "fast-check";
import { parse, stringify } from "yaml";

import { runInTerminal } from "../support/cli.ts";
import { anyText, anyValue, deepJson } from "./odd.ts";
import { type Batches, type Report, batchesOf } from "./report.ts";

const SAMPLES = ["acme-support", "city-kiosk", "riverside-clinic"];

/** A bot with a field of every kind, and few examples, so that much is tried in little time. */
export const SMALL = `
id: small
name: Small
allowedDomains: ["*", https://acme.example, "*.acme.example:8443"]
welcomeMessage: "Hi, I'm {botName}"
monthlyMessageCap: 100
rateLimit: { capacity: 3, perMinute: 6 }
intents:
  - name: orders.status
    label: the state of an order
    examples: [where is my order, track my parcel]
    responses: ["On its way, says {botName}."]
  - name: account.delete
    examples: &delete [delete my account, erase my data]
capabilityProfile: { allow: [orders.*], deny: [account.delete], refusals: { DENY_LIST: No. } }
outputSchema: { type: object, required: [hours], properties: { hours: { type: string, pattern: "^[0-9]+$" } } }
fallbackResponse: '{"hours":"1"}'
suggestedQuestions: [{ id: one, text: "Where is my order?", order: 1 }]
theme: { primaryColor: "#102030" }
texts: { social.greeting: Hello! }
handoff: { fields: [name, email, message] }
`;

/** The longest that a bot file may hold up an operator; the largest sample takes some hundredths of a second. */
const MAX_MS = 10_000;

/** Gives changed bot files to `parley seed --dry-run`: they are taken or refused with their mistakes, and never end in a defect. */
export async function fuzzBotFiles(report: Report, batches: Batches): Promise<void> {
  const samples = await Promise.all(
    SAMPLES.map((name) => Bun.file(`${import.meta.dir}/../../data/${name}.yaml`).text()),
  );
  for (const batch of batchesOf(anyBotFile([SMALL, SMALL, SMALL, ...samples]), batches)) {
    for (const stdin of batch) {
      const startedAt = performance.now();
      const { exitCode, stderr } = await runInTerminal(["seed", "-", "--dry-run"], { stdin });
      const tookMs = performance.now() - startedAt;
      report.count("bot files");
      if (![0, 1].includes(exitCode) || tookMs > MAX_MS) {
        const what = `exit code ${exitCode} after ${tookMs.toFixed(0)} ms: ${stderr.slice(0, 600)}`;
        report.note("bot file", `${what}\n${JSON.stringify(stdin.slice(0, 1500))}`);
      }
    }
  }
}

/** A sample with something changed in it, or something that is hardly a bot file. */
export function anyBotFile(samples: readonly string[]): fc.Arbitrary<string> {
  const sample = fc.constantFrom(...samples);
  const byText = fc.tuple(
    sample,
    fc.array(fc.tuple(fc.nat(), anyText, fc.nat({ max: 60 })), { minLength: 1, maxLength: 3 }),
  );
  const byLine = fc.tuple(sample, fc.nat(), fc.nat());
  const byNode = fc.tuple(
    sample.map((text) => parse(text) as unknown),
    fc.array(fc.tuple(fc.nat(), fc.oneof(anyValue, deepValue)), { minLength: 1, maxLength: 3 }),
    fc.boolean(),
  );
  const byKey = fc.tuple(
    sample.map((text) => parse(text) as unknown),
    fc.nat(),
    anyText,
  );
  return fc.oneof(
    byText.map(([text, edits]) =>
      edits.reduce((edited, [at, odd, cut]) => splice(edited, at, odd, cut), text),
    ),
    byLine.map(([text, from, to]) => moveLine(text, from, to)),
    byNode.map(([tree, edits, isJson]) => {
      const edited = edits.reduce((before, [at, value]) => editNode(before, at, () => value), tree);
      return isJson ? JSON.stringify(edited) : stringify(edited);
    }),
    byKey.map(([tree, at, key]) => JSON.stringify(renameKey(tree, at, key))),
    fc.oneof(
      deepJson,
      anyText,
      anyValue.map((value) => stringify(value)),
    ),
  );
}

const deepValue = fc
  .integer({ min: 5, max: 300 })
  .map((depth) => Array.from({ length: depth }).reduce<unknown>((inner) => ({ items: inner }), "x"));

function splice(text: string, at: number, odd: string, cut: number): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + odd + text.slice(place + cut);
}

function moveLine(text: string, from: number, to: number): string {
  const lines = text.split("\n");
  const [line] = lines.splice(from % lines.length, 1);
  return lines.toSpliced(to % (lines.length + 1), 0, line!).join("\n");
}

/** Changes the node that is the `at`th in the order of a walk. */
function editNode(tree: unknown, at: number, edit: (node: unknown) => unknown): unknown {
  let left = at % countNodes(tree);
  const walk = (node: unknown): unknown => {
    if (left-- === 0) return edit(node);
    if (Array.isArray(node)) return node.map(walk);
    if (node === null || typeof node !== "object") return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, walk(value)]));
  };
  return walk(tree);
}

function countNodes(node: unknown): number {
  if (node === null || typeof node !== "object") return 1;
  return Object.values(node).reduce<number>((sum, value) => sum + countNodes(value), 1);
}

function renameKey(tree: unknown, at: number, key: string): unknown {
  return editNode(tree, at, (node) => {
    if (node === null || typeof node !== "object" || Array.isArray(node)) return { [key]: node };
    const entries = Object.entries(node);
    const [renamed, ...rest] = entries;
    return Object.fromEntries([...rest, [key, renamed?.[1]]]);
  });
}
