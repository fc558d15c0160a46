import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";

import type { Awaitable } from "../../domain/awaitable.ts";
import type { OperatorPermission, Role } from "../../domain/operator/access.ts";
import type { StoredOperator, StoredOperatorKey } from "../../store/interface/operators.ts";

/** Who asks: an operator by a session, or whoever holds a key. */
export type Caller = (SessionCaller | KeyCaller) & {
  readonly permissions: ReadonlySet<OperatorPermission>;
  /** The key that asks, or that made the link of the session: keys, links and sessions that are made now end with it. */
  readonly boundTo?: Pick<StoredOperatorKey, "id" | "expiresAt">;
};

export interface SessionCaller {
  readonly kind: "operator";
  readonly name: string;
  readonly role: Role;
  /** As they were when the request came. */
  readonly stored: StoredOperator;
  readonly sessionHash: Uint8Array;
  /** Signed in by a link a moment ago: a password may be set without the one before. */
  readonly isFreshByLink: boolean;
}

interface KeyCaller {
  readonly kind: "key";
  /** Of the key, as it is listed. */
  readonly id: string;
  readonly label: string;
  /** The operator who made it. */
  readonly createdBy: string;
}

/** What a route asks for. `signed-in`: any session or key; `anyone`: what leads to a session. */
export type Permission = OperatorPermission | "signed-in" | "anyone";

/** A request as a handler gets it: parsed, and allowed. */
export interface Call<Params = unknown, Query = unknown, Body = unknown, Who = Caller> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Who;
  readonly request: Request;
  /** Of the client, trusted proxies seen through. */
  readonly clientAddress: string;
  /** Aborts when the client goes. */
  readonly signal: AbortSignal;
  /** The body of a route that is `multipart`. @throws ServiceError INVALID_REQUEST */
  readonly readForm: () => Promise<FormData>;
  /**
   * The answer of a route that produces `progress`: NDJSON of steps, then of the result, or of what went wrong. The work is told to stop
   * when the client goes.
   */
  readonly progress: <Result>(work: ProgressWork<Result>) => Response;
  /** The answer of a route that produces `lines`: NDJSON, a row a line; no more rows are asked for when the client goes. */
  lines(rows: AsyncIterable<unknown>): Response;
}

/** Work that takes a while, and says how far it is. */
export type ProgressWork<Result> = (
  report: ReportStep,
  signal: AbortSignal,
  /** Sends what is known so far. */
  sendPart: (result: Result) => void,
) => Promise<Result>;
export type ReportStep = (step: string, done: number, of: number) => void;

/** A value to answer with, where it is not just 200. */
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
  /** What it does, in a few words. */
  summary: string;
  /** What an answer holds: JSON; the result of NDJSON with `progress`; or one row of NDJSON with `lines`. */
  produces: "json" | "progress" | "lines";
  /** Whether the body is `multipart/form-data`, which the handler reads. */
  multipart: boolean;
  /** Largest body, in bytes. */
  maxBodyBytes: number;
}

/** A route as it is registered. */
export interface ApiRoute extends RouteFacts {
  params: TObject;
  query: TObject;
  /** Absent: it takes none; optional: it need not be sent. */
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

/** Declares a route of the operator API: what it takes and gives, and the one permission that it asks for. */
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
    // What is parsed by the schemas above has their types.
    answer: declaration.answer as ApiRoute["answer"],
  };
}

/** The schema of what a list answers with. */
export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    next: Type.Union([Type.String(), Type.Null()], {
      description: "Pass it as `cursor` for what follows; null: that was all",
    }),
  });
}

/** The schema of what a list answers with that is always whole. */
export function allOf<Item extends TSchema>(item: Item) {
  return Type.Object({ items: Type.Array(item) });
}
