import { BOT_ID_PATTERN, MAX_BOT_ID_LENGTH, type RequestId } from "../domain/ids.ts";
import type { LoggedRequest } from "../log/request-log.ts";

/** Data of one request. */
export interface RequestContext extends LoggedRequest {
  requestId: RequestId;
  /** As the socket brought it. */
  received: Request;
  /** As the routes read it. */
  request: Request;
  /** Pattern of the route that took the request; `unknown` until one has. */
  route: string;
  /** Headers of the answer, whatever it will be. */
  headers: Record<string, string> | undefined;
  /** Further fields of the log line. Never a token, never message text. */
  logFields: Record<string, unknown> | undefined;
}

/** The connections that requests come by. */
export interface Connections {
  /** The address of the socket's peer. */
  peerOf(received: Request): string;
  /** Lets the answer take longer than an idle connection may. */
  keepOpen(received: Request): void;
}

/** Finds the context of a request that is being served. */
export type ContextOf = (request: Request) => RequestContext;

const BOT_ID = new RegExp(BOT_ID_PATTERN);

/** Puts into the log line which bot was asked for, unless it is a text that no bot can have for an id. */
export function noteBotId(context: RequestContext, botId: string): void {
  if (botId.length <= MAX_BOT_ID_LENGTH && BOT_ID.test(botId)) context.botId = botId;
}
