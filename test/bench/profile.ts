/** The parts of a `--cpu-prof` file that are read here; times in microseconds. */
export interface CpuProfile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string };
  children?: number[];
}

/** The stages of a message, in order. */
export const STAGES = [
  "HTTP",
  "admission",
  "load",
  "judge",
  "decide, compose",
  "respond",
  "commit",
  "log and metrics",
  "other",
] as const;

export type Stage = (typeof STAGES)[number];

/** The stage of a frame by its file; the first match counts. Helpers (`domain/`, `store/json-column.ts`) belong to their callers' stage. */
const RULES: readonly [RegExp, Stage][] = [
  [/src\/store\/(commit-queue|store)\.ts$/, "commit"],
  [/src\/store\/embed-token/, "admission"],
  [/src\/(metrics\.ts|log\/)|node_modules\/(pino|prom-client|sonic-boom)\//, "log and metrics"],
  [/src\/governance\/(decide|suggestions|follow-up\/)/, "decide, compose"],
  [/src\/(governance|intent|social|text)\//, "judge"],
  [/src\/(respond|texts)\/|src\/chat\/turn\/(respond|answer)\.ts$/, "respond"],
  [/src\/(access|bots|chat\/admission)\//, "admission"],
  [/src\/chat\//, "decide, compose"],
  [/src\/http\/|node_modules\/(elysia|memoirist)\//, "HTTP"],
];

/** Reads of the store, which are not part of a commit. */
const LOADING = new Set(["findConversation", "loadConversation"]);

/** Milliseconds of the samples between two instants, which count in milliseconds from the start of the process, by stage. */
export function sampleStages(profile: CpuProfile, fromMs: number, untilMs: number): Map<Stage, number> {
  const stageOf = stagesByNode(profile);
  const { samples, timeDeltas } = profile;
  const deltas = timeDeltas.toSorted((a, b) => a - b);
  // While the loop waits nothing is sampled, so the next sample seems to include the wait.
  const usual = deltas[deltas.length >> 1] ?? 0;
  const sampledMs = new Map<Stage, number>();
  let atMicroseconds = 0;
  for (const [index, node] of samples.entries()) {
    atMicroseconds += timeDeltas[index] ?? 0;
    if (atMicroseconds < fromMs * 1000 || atMicroseconds > untilMs * 1000) continue;
    const stage = stageOf.get(node) ?? "other";
    sampledMs.set(stage, (sampledMs.get(stage) ?? 0) + usual / 1000);
  }
  return sampledMs;
}

/** A node has the stage of its own frame, else its caller's; calls made to load a conversation belong to loading. */
function stagesByNode({ nodes }: CpuProfile): Map<number, Stage> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stages = new Map<number, Stage>();
  const visit = (node: ProfileNode, inherited: Stage) => {
    const stage = inherited === "load" ? inherited : (ownStage(node) ?? inherited);
    stages.set(node.id, stage);
    for (const child of node.children ?? []) visit(byId.get(child)!, stage);
  };
  const [root] = nodes;
  if (root) visit(root, "other");
  return stages;
}

function ownStage({ callFrame: { functionName, url } }: ProfileNode): Stage | undefined {
  if (LOADING.has(functionName)) return "load";
  return RULES.find(([file]) => file.test(url))?.[1];
}
