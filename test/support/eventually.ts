/** What takes longer than this does not come: no machine that runs the tests is so slow. */
export const HANG_MS = 60_000;

const LOOK_EVERY_MS = 5;

/**
 * Resolves when a check holds, however slow the machine is: when it says anything but `false`, and throws nothing.
 *
 * @throws Error the last reason why it does not hold.
 */
export async function eventually(check: () => unknown): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const reason = await whyNot(check);
    if (reason === undefined) return;
    if (performance.now() - startedAt > HANG_MS) throw reason;
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

async function whyNot(check: () => unknown): Promise<unknown> {
  try {
    return (await check()) === false ? new Error("it did not come to that") : undefined;
  } catch (error) {
    return error;
  }
}
