import { BOT_ID_PATTERN, MAX_BOT_ID_LENGTH, type RequestId } from "../domain/ids.ts";

/** What travels with one request, beside the request itself. */
export interface RequestContext {
  requestId: RequestId;
  /** The address of the socket's peer. */
  peer: string;
  /** Lets the answer take longer than an idle connection may. */
  keepOpen: () => void;
  /** Pattern of the route that took the request; `unknown` until one has. */
  route: string;
  /** Headers of the answer, whatever it will be. */
  headers: Record<string, string>;
  /** For the log line. Never a token, never message text. */
  logFields: Record<string, unknown>;
}

/** Finds the context of a request that is being served. */
export type ContextOf = (request: Request) => RequestContext;

const BOT_ID = new RegExp(BOT_ID_PATTERN);

/** Puts into the log line which bot was asked for, unless it is a text that no bot can have for an id. */
export function noteBotId({ logFields }: RequestContext, botId: string): void {
  if (botId.length <= MAX_BOT_ID_LENGTH && BOT_ID.test(botId)) logFields.botId = botId;
}
