/** `moved`: the files are no longer those at their paths. `damaged`: the database cannot be read. `unreliable`: the disk failed to write. */
export type StorageFailureKind = "moved" | "damaged" | "unreliable";
export const STORAGE_FAILURE_KINDS: readonly StorageFailureKind[] = ["moved", "damaged", "unreliable"];

/** Why nothing that is written can be believed to last. */
export interface StorageFailure {
  kind: StorageFailureKind;
  /** One line for operators: what happened, and how to go on. */
  message: string;
  cause?: unknown;
}

/** Whether what is written can be believed to last. */
export interface Health {
  /** Undefined while all is well. */
  readonly failure: StorageFailure | undefined;
  /** @throws ServiceError STORAGE_UNAVAILABLE once storage has failed. */
  assertSound(): void;
  /** @throws ServiceError STORAGE_UNAVAILABLE once storage has failed, and while the latest write did not reach the disk. */
  assertWriting(): void;
  /** Takes note of an error of any statement. */
  noticeFailure(error: unknown): void;
}
