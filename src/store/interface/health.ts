/** `moved`: the files at the paths are not the open ones. `damaged`: the database cannot be read. `unreliable`: the disk failed to write. */
export type StorageFailureKind = "moved" | "damaged" | "unreliable";
export const STORAGE_FAILURE_KINDS: readonly StorageFailureKind[] = ["moved", "damaged", "unreliable"];

/** Why writes can no longer be trusted to be durable. */
export interface StorageFailure {
  kind: StorageFailureKind;
  /** One line for operators: the fault, and the remedy. */
  message: string;
  cause?: unknown;
}

/** Whether writes can be trusted to be durable. */
export interface Health {
  /** Undefined while storage works. */
  readonly failure: StorageFailure | undefined;
  /** @throws ServiceError STORAGE_UNAVAILABLE once storage has failed. */
  assertSound(): void;
  /** @throws ServiceError STORAGE_UNAVAILABLE once storage has failed, and while the latest write did not reach the disk. */
  assertWriting(): void;
  /** Judges an error of any statement. */
  noticeFailure(error: unknown): void;
}
