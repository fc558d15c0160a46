import type { RequestSource } from "../../access/decide-domain.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { BotRegistry } from "../../bots/registry.ts";
import type { StoredEmbedToken } from "../../store/interface/embed-tokens.ts";
import { type Caller, type CallerParts, admitCaller } from "./admit-caller.ts";
import { admitToBot } from "./admit-to-bot.ts";

/** The parts that admission uses. */
export interface AdmitParts extends CallerParts {
  bots: Pick<BotRegistry, "find" | "headOf">;
}

/** What the body of every request to a bot holds. */
interface BodyForBot {
  botId: string;
  input?: string;
}

/** A request to a bot, of which nothing is known yet. */
export interface IncomingRequest<Body extends BodyForBot> extends Caller {
  source: RequestSource;
  /** Checks 4 and 5 of decisions §2: size and form. Nothing of the body is read before the caller is known. */
  readBody: () => Promise<Body>;
}

/** A request that may speak to its bot. */
export interface Admitted<Body extends BodyForBot> {
  embedToken: StoredEmbedToken;
  bot: LoadedBot;
  body: Body;
}

/**
 * Runs the checks of decisions §2 in their order: caller (1 to 3), body (4 and 5), bot (6 to 8).
 *
 * @throws ServiceError UNAUTHORIZED | RATE_LIMITED | INVALID_REQUEST | NOT_FOUND | FORBIDDEN
 */
export async function admit<Body extends BodyForBot>(
  parts: AdmitParts,
  request: IncomingRequest<Body>,
): Promise<Admitted<Body>> {
  const embedToken = await admitCaller(parts, request);
  const body = await request.readBody();
  const { source } = request;
  const found = await parts.bots.find(body.botId);
  const bot = admitToBot({ bot: found, embedToken, source, input: body.input });
  return { embedToken, bot, body };
}
