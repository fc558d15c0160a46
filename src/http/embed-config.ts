import { botNotFound } from "../bots/bot-not-found.ts";
import { embedConfigOf } from "../bots/embed-config.ts";
import type { BotRegistry } from "../bots/registry.ts";
import type { PublicAddresses } from "../config/addresses.ts";
import type { BotDocument } from "../domain/bot.ts";
import { ServiceError } from "../domain/errors.ts";
import { sha256 } from "../domain/sha256.ts";
import type { BotHead } from "../store/interface/bots.ts";
import { notModified } from "./conditional.ts";
import type { Endpoint } from "./endpoint.ts";
import { answerHeaders } from "./every-answer.ts";
import { withReadableUrl } from "./readable-url.ts";
import { noteBotId } from "./request-context.ts";

/** The parts that GET /embed-config uses. */
export interface EmbedConfigParts {
  bots: Pick<BotRegistry, "headOf" | "readDocument">;
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
  const rendered = new WeakMap<BotHead, RenderedConfig>();
  const renderConfig = async (head: BotHead) => {
    const document = await bots.readDocument(head);
    if (!document) throw botNotFound();
    const config = render(document, addresses());
    rendered.set(head, config);
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
      const head = bots.headOf(botId);
      if (!head) throw botNotFound();
      const config = rendered.get(head);
      if (config) return answerWith(config, request);
      return renderConfig(head).then((fresh) => answerWith(fresh, request));
    },
  };
}

const PLAIN_QUERY = /^[^?#]*\?botId=([a-z0-9-]+)$/;

/** The query as every widget writes it, or else as the URL standard reads it. */
function botIdIn(request: Request): string | null {
  const plain = PLAIN_QUERY.exec(request.url)?.[1];
  return plain ?? new URL(withReadableUrl(request).url).searchParams.get("botId");
}

function answerWith({ body, headers, etag, cached }: RenderedConfig, request: Request): Response {
  return notModified(request, etag, cached) ?? new Response(body, { headers });
}

function render(document: BotDocument, addresses: PublicAddresses): RenderedConfig {
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
