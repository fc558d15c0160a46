import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";

import type { OperatorPermission, Role } from "../../domain/operator/access.ts";
import type { Awaitable } from "../../domain/waiting.ts";
import type { StoredOperator, StoredOperatorKey } from "../../store/interface/operators.ts";

/** The author of a call: an operator with a session, or a script with a key. */
export type Caller = (SessionCaller | KeyCaller) & {
  readonly permissions: ReadonlySet<OperatorPermission>;
  /** The key that calls, or that created the sign-in link of the session. Keys, links and sessions created now end with it. */
  readonly boundTo?: Pick<StoredOperatorKey, "id" | "expiresAt">;
};

export interface SessionCaller {
  readonly kind: "operator";
  readonly name: string;
  readonly role: Role;
  /** As stored when the request arrived. */
  readonly stored: StoredOperator;
  readonly sessionHash: Uint8Array;
  /** Signed in by link recently, so that a password can be set without the current one. */
  readonly isFreshByLink: boolean;
}

interface KeyCaller {
  readonly kind: "key";
  /** Id of the key, as listed. */
  readonly id: string;
  readonly label: string;
  /** The operator who created the key. */
  readonly createdBy: string;
}

/** Permission of a route. `signed-in`: any session or key; `anyone`: routes for signing in. */
export type Permission = OperatorPermission | "signed-in" | "anyone";

/** A request for a handler, after parsing and the permission check. */
export interface Call<Params = unknown, Query = unknown, Body = unknown, Who = Caller> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Who;
  readonly request: Request;
  /** The client's address, taking trusted proxies into account. */
  readonly clientAddress: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Reads the body of a `multipart` route. @throws ServiceError INVALID_REQUEST */
  readonly readForm: () => Promise<FormData>;
  /** Answers a `progress` route: NDJSON of steps and then the result or a problem. The work is aborted when the client disconnects. */
  readonly progress: <Result>(work: ProgressWork<Result>) => Response;
  /** Answers a `lines` route: NDJSON with one row per line. Reading stops when the client disconnects. */
  lines(rows: AsyncIterable<unknown>): Response;
}

/** Work that takes a while and reports its progress. */
export type ProgressWork<Result> = (
  report: ReportStep,
  signal: AbortSignal,
  /** Sends a partial result. */
  sendPart: (result: Result) => void,
) => Promise<Result>;
export type ReportStep = (step: string, done: number, of: number) => void;

/** An answer other than a plain 200. */
export class Reply<Value> {
  readonly value: Value;
  readonly options: ReplyOptions;

  constructor(value: Value, options: ReplyOptions = {}) {
    this.value = value;
    this.options = options;
  }
}

interface ReplyOptions {
  status?: number;
  /** As {@link etagOf} makes it. */
  etag?: string;
  headers?: Readonly<Record<string, string>>;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface RouteFacts {
  method: Method;
  /** Below `/api/v1`; `:name` stands for one segment. */
  path: string;
  permission: Permission;
  /** A short description. */
  summary: string;
  /** Kind of answer: JSON; NDJSON ending in a result (`progress`); or NDJSON of rows (`lines`). */
  produces: "json" | "progress" | "lines";
  /** Whether the body is `multipart/form-data`, read by the handler. */
  multipart: boolean;
  /** Largest body, in bytes. */
  maxBodyBytes: number;
}

/** A registered route. */
export interface ApiRoute extends RouteFacts {
  params: TObject;
  query: TObject;
  /** Absent: no body; optional: the body may be missing. */
  body: TSchema | undefined;
  /** Absent: 204. */
  response: TSchema | undefined;
  answer: (call: Call) => Awaitable<unknown>;
}

interface RouteDeclaration<
  Asked extends Permission,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Result extends TSchema,
>
  extends
    Pick<RouteFacts, "method" | "path" | "summary">,
    Partial<Pick<RouteFacts, "produces" | "multipart" | "maxBodyBytes">> {
  permission: Asked;
  params?: Params;
  query?: Query;
  body?: Body;
  response?: Result;
  /** A value is answered with 200, undefined with 204, a Response as it is. */
  answer: (
    call: Call<
      Static<Params>,
      Static<Query>,
      Static<Body>,
      Asked extends "anyone" ? Caller | undefined : Caller
    >,
  ) => Awaitable<Static<Result> | Reply<Static<Result>> | Response | void>;
}

/** Like POST /chat. */
const MAX_BODY_BYTES = 64 * 1024;

/** Declares a route of the operator API: its input, output and permission. */
export function route<
  Asked extends Permission,
  Result extends TSchema,
  Params extends TObject = TObject<{}>,
  Query extends TObject = TObject<{}>,
  Body extends TSchema = TSchema,
>(declaration: RouteDeclaration<Asked, Params, Query, Body, Result>): ApiRoute {
  return {
    produces: "json",
    multipart: false,
    maxBodyBytes: MAX_BODY_BYTES,
    ...declaration,
    params: declaration.params ?? Type.Object({}),
    query: declaration.query ?? Type.Object({}),
    body: declaration.body,
    response: declaration.response,
    // The schemas above guarantee these types.
    answer: declaration.answer as ApiRoute["answer"],
  };
}

/** Path parameters of a route for one thing. */
export const ById = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** Schema of a page of a list. */
export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    next: Type.Union([Type.String(), Type.Null()], {
      description: "Pass it as `cursor` for the next page; null on the last page",
    }),
  });
}

/** Schema of a list without pages. */
export function allOf<Item extends TSchema>(item: Item) {
  return Type.Object({ items: Type.Array(item) });
}
