import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** In the order of `enum kind` in faults.c. */
export const FAULT_KINDS = [
  "none",
  "failed sync",
  "short write",
  "full disk",
  "failed write",
  "power cut",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  kind: FaultKind;
  /** Calls that are let through before the first one fails. */
  pass: number;
  /** Calls that fail. */
  fail?: number;
}

/** What the library has seen since it was armed. */
export interface Seen {
  hits: number;
  writes: number;
  syncs: number;
}

export const FOR_GOOD = 0xff_ff_ff_ff;

const COMPILERS = ["cc", "clang", "gcc"];

/** A disk that fails when it is told to: the compiled library, and the file by which it is told. */
export class FailingDisk implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "parley-disk-"));
  readonly #library = join(this.#folder, "faults.so");
  readonly #control = join(this.#folder, "control");
  #descriptor = -1;

  /** @returns undefined where there is no compiler, or none that makes such a library here. */
  static async make(): Promise<FailingDisk | undefined> {
    if (process.platform !== "linux") return undefined;
    const compiler = COMPILERS.find((name) => Bun.which(name) !== null);
    const disk = new FailingDisk();
    if (compiler !== undefined && (await disk.#compile(compiler))) return disk;
    disk[Symbol.dispose]();
    return undefined;
  }

  /** Variables of a program whose files under `folder` are on this disk. */
  variablesFor(folder: string): Record<string, string> {
    return { LD_PRELOAD: this.#library, FAULT_CONTROL: this.#control, FAULT_FOLDER: folder };
  }

  /** From here on calls fail as told; what was seen is counted anew. */
  arm({ kind, pass, fail = 1 }: Fault): void {
    this.#write([0, 0, 0, 0, 0, 0]);
    this.#write([FAULT_KINDS.indexOf(kind), pass, fail, 0, 0, 0]);
  }

  /** No call fails any more. */
  heal(): void {
    this.#write([0]);
  }

  get seen(): Seen {
    const words = new Uint32Array(6);
    readSync(this.#descriptor, words, 0, words.byteLength, 0);
    return { hits: words[3]!, writes: words[4]!, syncs: words[5]! };
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== -1) closeSync(this.#descriptor);
    rmSync(this.#folder, { recursive: true });
  }

  async #compile(compiler: string): Promise<boolean> {
    const source = join(import.meta.dir, "faults.c");
    const flags = ["-O2", "-shared", "-fPIC", "-o", this.#library, source, "-ldl", "-lpthread"];
    const child = Bun.spawn([compiler, ...flags], { stdio: ["ignore", "ignore", "inherit"] });
    if ((await child.exited) !== 0) return false;
    this.#descriptor = openSync(this.#control, "w+");
    this.arm({ kind: "none", pass: 0, fail: 0 });
    return true;
  }

  #write(words: readonly number[]): void {
    const bytes = new Uint32Array(words);
    writeSync(this.#descriptor, bytes, 0, bytes.byteLength, 0);
  }
}
