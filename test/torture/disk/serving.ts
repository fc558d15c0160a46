import type { ServingExecutable } from "../../support/executable.ts";
import { send } from "../callers.ts";
import { INPUT, SCRIPTED, type TortureFolder, copyFolder } from "../folder.ts";
import { type Acknowledged, compare } from "../ledger.ts";
import { kill, serve } from "../server.ts";
import type { FaultKind } from "./control.ts";
import type { FaultOptions } from "./fault-options.ts";

/** Kinds that a server survives, and those after which nothing may be acknowledged. */
const HEALING: ReadonlySet<FaultKind> = new Set(["short write", "full disk"]);
const FINAL: ReadonlySet<FaultKind> = new Set(["failed sync", "failed write", "power cut"]);

/** Messages that are sent at once, so that commits are groups. */
const AT_ONCE = 8;
/** Waves of messages that are enough to get to any place below `FARTHEST`. */
const MAX_WAVES = 200;
/** Calls that 150 commits take: beyond is at least one checkpoint. */
const FARTHEST = 1200;
/** The same in syncs, of which a commit takes one. */
const FARTHEST_SYNC = 150;
const DENSE_STEPS = 8;
const WAVES_AFTER = 3;

interface Session {
  folder: TortureFolder;
  server: ServingExecutable;
  acknowledged: Acknowledged[];
}

/** What callers were told stays, whatever the disk does; a failure that cannot be taken back ends acknowledgements, a full disk heals. */
export async function failWhileServing(options: FaultOptions): Promise<void> {
  const { disk, seeded, tally } = options;
  using folder = copyFolder(seeded);
  const acknowledged: Acknowledged[] = [];
  for (const kind of options.kinds.filter((name) => HEALING.has(name))) {
    await healingSession(options, folder, acknowledged, kind);
  }
  for (const pass of placesToStrike(options)) {
    for (const kind of options.kinds.filter((name) => FINAL.has(name))) {
      if (performance.now() > options.until) break;
      const place = kind === "failed sync" ? pass % FARTHEST_SYNC : pass;
      await finalSession(options, folder, acknowledged, kind, place);
    }
  }
  disk.heal();
  tally.tried.acknowledged += acknowledged.length;
}

/** The first calls one by one, and random ones up to where the log has been checkpointed. */
function placesToStrike({ steps, random }: FaultOptions): number[] {
  return Array.from({ length: steps }, (_, step) =>
    step < DENSE_STEPS ? step : Math.floor(random() * FARTHEST),
  );
}

/** One server, whose disk fails time and again and heals in between. */
async function healingSession(
  options: FaultOptions,
  folder: TortureFolder,
  acknowledged: Acknowledged[],
  kind: FaultKind,
): Promise<void> {
  const { disk, tally, steps, until } = options;
  disk.heal();
  const server = await serve(folder, { env: disk.variablesFor(folder.data) });
  const session = { folder, server, acknowledged };
  for (let pass = 0; pass < steps && performance.now() < until; pass++) {
    const place = `${kind} at call ${pass}`;
    disk.arm({ kind, pass, fail: 1 + (pass % 3) });
    await talkUntilStruck(options, session, place);
    disk.heal();
    const statuses = await sayAtOnce(session);
    if (statuses.some((status) => status !== 200)) tally.note("notHealed", `${place}: ${statuses.join(" ")}`);
  }
  await killAndCompare(options, session, kind);
}

/** A server whose disk fails once in a way that nothing takes back. */
async function finalSession(
  options: FaultOptions,
  folder: TortureFolder,
  acknowledged: Acknowledged[],
  kind: FaultKind,
  pass: number,
): Promise<void> {
  const { disk, tally } = options;
  const place = `${kind} at call ${pass}`;
  disk.heal();
  const server = await serve(folder, { env: disk.variablesFor(folder.data) });
  const session = { folder, server, acknowledged };
  disk.arm({ kind, pass, fail: kind === "failed write" ? 2 : 1 });
  const hasEnded = await talkUntilStruck(options, session, place);
  disk.heal();
  for (let wave = 0; wave < WAVES_AFTER && hasEnded && kind !== "power cut"; wave++) {
    const believed = (await sayAtOnce(session)).filter((status) => status === 200).length;
    tally.note("believedAfterFailure", `${place}: acknowledged once more`, believed);
  }
  await killAndCompare(options, session, place);
}

/** @returns whether a message was refused: a failed sync within a checkpoint refuses none, as the log is kept. */
async function talkUntilStruck(
  { disk, tally }: FaultOptions,
  session: Session,
  place: string,
): Promise<boolean> {
  let isRefused = false;
  for (let wave = 0; wave < MAX_WAVES && disk.seen.hits === 0; wave++) {
    const statuses = await sayAtOnce(session);
    isRefused ||= statuses.some((status) => status !== 200);
    const unexpected = statuses.filter((status) => ![200, 503, undefined].includes(status));
    if (unexpected.length > 0) tally.note("unexpected", `${place}: ${unexpected.join(" ")}`);
  }
  if (disk.seen.hits === 0) tally.note("unexpected", `${place}: never reached`);
  else tally.noteFault(`${place.split(" at ")[0]} while serving`);
  return isRefused;
}

async function sayAtOnce({ folder, server, acknowledged }: Session): Promise<(number | undefined)[]> {
  const line = { url: server.url, token: folder.token };
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(line, { botId: SCRIPTED })));
  for (const answer of answers) {
    if (answer?.status !== 200) continue;
    const { requestId, conversationId, response } = answer;
    acknowledged.push({ botId: SCRIPTED, input: INPUT, requestId, conversationId, response });
  }
  return answers.map((answer) => answer?.status);
}

async function killAndCompare(
  { tally }: FaultOptions,
  { folder, server, acknowledged }: Session,
  place: string,
): Promise<void> {
  await kill(server);
  tally.tried.kills++;
  compare(folder.database, acknowledged, tally, { missing: "lost", place });
}
