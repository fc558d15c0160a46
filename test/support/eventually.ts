/** After this time a test fails as hung: no test machine is so slow. */
export const HANG_MS = 60_000;

const LOOK_EVERY_MS = 5;

/**
 * Resolves once a check holds, that is, returns anything but `false` and does not throw, however slow the machine is.
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
