/** The error codes of the visitors' API and of the operator API. */
export type ErrorCode =
  | "INVALID_REQUEST"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  /** The operator API: the object was changed in between. */
  | "CONFLICT"
  /** The operator API: a change without the version it was based on. */
  | "PRECONDITION_REQUIRED"
  /** The operator API: a bot has faults, which its publisher may accept. */
  | "UNACCEPTED_FAULTS"
  | "RATE_LIMITED"
  | "MESSAGE_CAP_EXCEEDED"
  | "MODEL_ERROR"
  | "MODEL_TIMEOUT"
  | "OVERLOADED"
  | "STORAGE_UNAVAILABLE"
  | "INTERNAL_ERROR";

/** One fault in a request body; `pointer` is a JSON Pointer (RFC 6901). */
export interface FieldFault {
  pointer: string;
  detail: string;
  /** If a text is too long: its maximum length in characters. */
  maxLength?: number;
}

interface ServiceErrorOptions {
  /** Overrides the status that belongs to the code. */
  status?: number;
  errors?: readonly FieldFault[];
  headers?: Record<string, string>;
  /** For the log line only; never part of an answer. */
  logFields?: Record<string, unknown>;
  cause?: unknown;
}

/** An expected refusal to serve a request. `message` is one sentence a developer can act on; it is shown to the caller. */
export class ServiceError extends Error {
  readonly errorCode: ErrorCode;
  readonly options: ServiceErrorOptions;

  constructor(errorCode: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ServiceError";
    this.errorCode = errorCode;
    this.options = options;
  }
}
