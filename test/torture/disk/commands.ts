import type { CommandResult } from "../../support/executable.ts";
import type { TortureFolder } from "../folder.ts";
import { FOR_GOOD, type FaultKind } from "./control.ts";
import { type FaultOptions, placesAmong } from "./fault-options.ts";

/** A command that is run once for each place at which the disk can fail. */
export interface FailingCommand {
  name: string;
  args: readonly string[];
  /** A fresh folder, as the command is to find it. */
  prepare: () => TortureFolder;
  /** Looks at the folder when the command has ended; the disk is sound again. */
  check: (folder: TortureFolder, result: CommandResult, place: string) => Promise<void>;
}

const POWER_CUT_EXIT = 137;

/** Runs the command with each kind of fault at many of the calls that it makes; where time runs out, all kinds have had as many. */
export async function failCommand(options: FaultOptions, command: FailingCommand): Promise<void> {
  const { steps, kinds, until } = options;
  const { writes, syncs } = await countCalls(options, command);
  const callsOf = (kind: FaultKind) =>
    kind === "failed sync" ? syncs : kind === "power cut" ? writes + syncs : writes;
  const placesOf = new Map(kinds.map((kind) => [kind, placesAmong(callsOf(kind), steps)]));
  for (let step = 0; step < steps; step++) {
    for (const [kind, places] of placesOf) {
      const pass = places.at(step);
      if (pass === undefined || performance.now() > until) continue;
      await strike(options, command, { kind, pass, isLasting: step % 2 === 1 });
    }
  }
}

async function countCalls({ disk }: FaultOptions, command: FailingCommand) {
  using folder = command.prepare();
  disk.arm({ kind: "none", pass: 0, fail: 0 });
  const { exitCode, stderr } = await folder.run(command.args, disk.variablesFor(folder.data));
  if (exitCode !== 0) throw new Error(`${command.name}: ${stderr}`);
  return disk.seen;
}

interface Strike {
  kind: FaultKind;
  pass: number;
  /** Whether the disk stays as it is, or fails this once. */
  isLasting: boolean;
}

async function strike(
  { disk, tally }: FaultOptions,
  command: FailingCommand,
  { kind, pass, isLasting }: Strike,
): Promise<void> {
  const place = `${command.name}, ${kind} at call ${pass}${isLasting ? " and after" : ""}`;
  using folder = command.prepare();
  const once = kind === "failed write" ? 2 : 1;
  disk.arm({ kind, pass, fail: isLasting && kind !== "power cut" ? FOR_GOOD : once });
  const result = await folder.run(command.args, disk.variablesFor(folder.data));
  if (disk.seen.hits > 0) tally.noteFault(`${kind} in ${command.name}`);
  disk.heal();
  const expected = kind === "power cut" ? [0, POWER_CUT_EXIT] : [0, 1, 3];
  if (!expected.includes(result.exitCode) || result.stderr.includes("defect in Parley"))
    tally.note("unexpected", `${place}: exit code ${result.exitCode}: ${result.stderr}`);
  try {
    await command.check(folder, result, place);
  } catch (error) {
    tally.note("damaged", `${place}: ${(error as Error).message}`);
  }
}
