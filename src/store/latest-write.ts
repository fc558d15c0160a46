import { ServiceError } from "../domain/errors.ts";

/** Whether the latest write reached the disk, whoever wrote: a message, or a probe. */
export class LatestWrite {
  #failure: ServiceError | undefined;

  /** @param error what the write failed with; errors that do not come from storage say nothing of it. */
  note(error?: unknown): void {
    if (error === undefined) this.#failure = undefined;
    else if (error instanceof ServiceError && error.errorCode === "STORAGE_UNAVAILABLE")
      this.#failure = error;
  }

  /** Takes note of how a write ends. */
  async watch<Result>(write: Promise<Result>): Promise<Result> {
    try {
      const result = await write;
      this.note();
      return result;
    } catch (error) {
      this.note(error);
      throw error;
    }
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE where it failed. */
  assertSucceeded(): void {
    if (this.#failure) throw this.#failure;
  }
}
