import { botNotFound } from "../bots/bot-not-found.ts";
import { embedConfigOf } from "../bots/embed-config.ts";
import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { BotRegistry } from "../bots/registry.ts";
import type { PublicAddresses } from "../config/addresses.ts";
import { ServiceError } from "../domain/errors.ts";
import { sha256 } from "../domain/sha256.ts";
import { notModified } from "./conditional.ts";
import type { Endpoint } from "./endpoint.ts";
import { answerHeaders } from "./every-answer.ts";
import { withReadableUrl } from "./readable-url.ts";
import { noteBotId } from "./request-context.ts";

/** The parts that GET /embed-config uses. */
export interface EmbedConfigParts {
  bots: Pick<BotRegistry, "find">;
  addresses: () => PublicAddresses;
}

/** The same for every request, as long as the bot's version is served. */
interface RenderedConfig {
  body: string;
  headers: Headers;
  /** Names the body. */
  etag: string;
  /** Those of the headers that stand in a 304, too. */
  cached: Headers;
}

/** GET /embed-config: public; cached for a minute, and revalidated by its ETag (decisions §10). */
export function embedConfigEndpoint({ bots, addresses }: EmbedConfigParts): Endpoint {
  const rendered = new WeakMap<LoadedBot, RenderedConfig>();
  const configOf = (bot: LoadedBot) => {
    const config = rendered.get(bot) ?? render(bot, addresses());
    rendered.set(bot, config);
    return config;
  };
  return {
    method: "GET",
    path: "/embed-config",
    answer(context) {
      const { request } = context;
      const botId = botIdIn(request);
      if (!botId) throw missingBotId();
      noteBotId(context, botId);
      const bot = bots.find(botId);
      if (!bot) throw botNotFound();
      const { body, headers, etag, cached } = configOf(bot);
      return notModified(request, etag, cached) ?? new Response(body, { headers });
    },
  };
}

const PLAIN_QUERY = /^[^?#]*\?botId=([a-z0-9-]+)$/;

/** The query as every widget writes it, or else as the URL standard reads it. */
function botIdIn(request: Request): string | null {
  const plain = PLAIN_QUERY.exec(request.url)?.[1];
  return plain ?? new URL(withReadableUrl(request).url).searchParams.get("botId");
}

function render({ document }: LoadedBot, addresses: PublicAddresses): RenderedConfig {
  const body = JSON.stringify(embedConfigOf(document, addresses));
  const etag = `"${sha256(body).toString("base64url").slice(0, 22)}"`;
  const cached = { "Cache-Control": "public, max-age=60", ETag: etag };
  return {
    body,
    etag,
    cached: answerHeaders(cached),
    headers: answerHeaders({ ...cached, "Content-Type": "application/json" }),
  };
}

function missingBotId(): ServiceError {
  return new ServiceError(
    "INVALID_REQUEST",
    "Name the bot in the query, as in `/embed-config?botId=acme-support`.",
    {
      errors: [{ pointer: "/botId", detail: "is required" }],
    },
  );
}
