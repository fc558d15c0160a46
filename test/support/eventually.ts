/** Long enough for a busy machine; what is waited for comes in milliseconds. */
const GIVE_UP_AFTER_MS = 10_000;

/** Waits until a check holds; the last reason why it does not is what the test fails with. */
export async function eventually(check: () => unknown): Promise<void> {
  const end = performance.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await Bun.sleep(10);
    }
  }
}
