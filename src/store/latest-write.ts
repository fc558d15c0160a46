import { ServiceError } from "../domain/errors.ts";

/** Whether the latest write reached the disk: a message's or a probe's. */
export class LatestWrite {
  #failure: ServiceError | undefined;

  /** @param error the write's error; errors that do not come from storage are ignored. */
  note(error?: unknown): void {
    if (error === undefined) this.#failure = undefined;
    else if (error instanceof ServiceError && error.errorCode === "STORAGE_UNAVAILABLE")
      this.#failure = error;
  }

  /** Notes the end of a write. */
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

  /** @throws ServiceError STORAGE_UNAVAILABLE if the latest write failed. */
  assertSucceeded(): void {
    if (this.#failure) throw this.#failure;
  }
}
