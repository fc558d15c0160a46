import * as fc from "fast-check";

const MAX_FINDINGS = 20;
const BATCH = 200;

/** What was tried, and what came of it that never should. */
export class Report {
  readonly tried = new Map<string, number>();
  /** Answers by status; 0: the connection was closed without one. */
  readonly statuses = new Map<number, number>();
  readonly findings: string[] = [];
  findingCount = 0;
  /** 503 with the code OVERLOADED and a time to try again, which is documented. */
  overloaded = 0;
  residentMegabytes = 0;

  count(kind: string, inputs = 1): void {
    this.tried.set(kind, (this.tried.get(kind) ?? 0) + inputs);
  }

  note(kind: string, finding: string): void {
    this.findingCount++;
    if (this.findings.length < MAX_FINDINGS) this.findings.push(`${kind}: ${finding}`);
  }

  get serverErrors(): number {
    return [...this.statuses].reduce((sum, [status, count]) => sum + (isServerError(status) ? count : 0), 0);
  }

  get isClean(): boolean {
    return this.findingCount === 0 && this.serverErrors === 0;
  }

  summarise(): string[] {
    const total = [...this.tried.values()].reduce((sum, count) => sum + count, 0);
    const kinds = [...this.tried].map(([kind, count]) => `${count} ${kind}`).join(", ");
    const byStatus = [...this.statuses].toSorted(([a], [b]) => a - b);
    const statuses = byStatus.map(([status, count]) => `${count} × ${status || "no answer"}`).join(", ");
    return [
      `inputs tried ${total}: ${kinds}`,
      `answers: ${statuses || "none"}`,
      `5xx seen ${this.serverErrors} (but 505, which is due to a wrong version of HTTP, and ${this.overloaded} × 503 OVERLOADED, which is documented), findings ${this.findingCount}, resident at the end ${this.residentMegabytes.toFixed(0)} MB`,
      ...this.findings.map((finding) => `  ${finding}`),
    ];
  }
}

/** Bun's server says 505 of a version that is not HTTP/1.1, before any of Parley; that is the right answer. */
export function isServerError(status: number): boolean {
  return status >= 500 && status !== 505;
}

export interface Batches {
  seed: number;
  inputs: number;
  /** By `performance.now()`. */
  until: number;
}

/** So many inputs, in batches; the same for the same seed, however far a run gets. */
export function* batchesOf<Input>(
  arbitrary: fc.Arbitrary<Input>,
  { seed, inputs, until }: Batches,
): Generator<Input[]> {
  for (let done = 0; done < inputs && performance.now() < until; done += BATCH) {
    yield fc.sample(arbitrary, { seed: seed + done, numRuns: Math.min(BATCH, inputs - done) });
  }
}
