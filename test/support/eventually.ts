/** What takes longer than this does not come: no machine that runs the tests is so slow. */
export const HANG_MS = 60_000;

const LOOK_EVERY_MS = 5;

/** Resolves when it holds, however slow the machine is. @throws Error where it never does. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > HANG_MS) throw new Error("it did not come to that");
    await Bun.sleep(LOOK_EVERY_MS);
  }
}
