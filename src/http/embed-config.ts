import { embedConfigOf } from "../bots/embed-config.ts";
import { botNotFound } from "../bots/read-bot.ts";
import type { BotRegistry } from "../bots/registry.ts";
import type { PublicAddresses } from "../config/addresses.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { EmbedConfig } from "../domain/embed.ts";
import { ServiceError } from "../domain/errors.ts";
import { sha256 } from "../domain/sha256.ts";
import type { BotHead } from "../store/interface/bots.ts";
import { wordedLanguages } from "../texts/bot-wording.ts";
import { type Endpoint, withReadableUrl } from "./endpoint.ts";
import { answerHeaders } from "./every-answer.ts";
import { noteBotId } from "./request-context.ts";
import { notModified } from "./request-headers.ts";

/** The parts that GET /embed-config uses. */
export interface EmbedConfigParts {
  bots: Pick<BotRegistry, "headOf" | "readDocument">;
  addresses: () => PublicAddresses;
}

/** Cached as long as the bot's version is served. The languages are limited to those in the bot file. */
interface RenderedBot {
  /** In the bot's own language. */
  own: RenderedConfig;
  /** By lower-case tag, for the languages in the bot file. */
  byLanguage: ReadonlyMap<string, RenderedConfig>;
}

/** Cached for all requests in a language. */
interface RenderedConfig {
  body: string;
  headers: Headers;
  /** Names the body. */
  etag: string;
  /** Headers that a 304 needs, too. */
  cached: Headers;
}

/** GET /embed-config: public, cached for a minute, and revalidated by ETag. */
export function embedConfigEndpoint({ bots, addresses }: EmbedConfigParts): Endpoint {
  const rendered = new WeakMap<BotHead, RenderedBot>();
  const renderBot = async (head: BotHead) => {
    const document = await bots.readDocument(head);
    if (!document) throw botNotFound();
    const bot = render(document, addresses());
    rendered.set(head, bot);
    return bot;
  };
  return {
    method: "GET",
    path: "/embed-config",
    answer(context) {
      const { request } = context;
      const { botId, locale } = queryOf(request);
      if (!botId) throw missingBotId();
      noteBotId(context, botId);
      const head = bots.headOf(botId);
      if (!head) throw botNotFound();
      const bot = rendered.get(head);
      if (bot) return answerWith(configFor(bot, locale), request);
      return renderBot(head).then((fresh) => answerWith(configFor(fresh, locale), request));
    },
  };
}

const PLAIN_QUERY = /^[^?#]*\?botId=([a-z0-9-]+)(?:&locale=([\w-]*))?$/;

interface Query {
  botId: string | null;
  /** Language of the visitor's page: any text. */
  locale: string;
}

/** Parses the query: quickly as widgets write it, else by the URL standard. */
function queryOf(request: Request): Query {
  const plain = PLAIN_QUERY.exec(request.url);
  if (plain) return { botId: plain[1]!, locale: plain[2] ?? "" };
  const query = new URL(withReadableUrl(request).url).searchParams;
  return { botId: query.get("botId"), locale: query.get("locale") ?? "" };
}

/** Characters; longer tags need not be supported (RFC 5646 §4.4.1). */
const MAX_TAG_LENGTH = 35;

/** The configuration in the visitor's language, by look-up of ever shorter tags (RFC 4647 §3.4); else in the bot's own. */
function configFor({ own, byLanguage }: RenderedBot, locale: string): RenderedConfig {
  if (byLanguage.size === 0 || locale.length > MAX_TAG_LENGTH) return own;
  for (let tag = locale.toLowerCase().replaceAll("_", "-"); tag !== ""; tag = withoutLastPart(tag)) {
    const config = byLanguage.get(tag);
    if (config) return config;
  }
  return own;
}

const withoutLastPart = (tag: string) => tag.slice(0, Math.max(0, tag.lastIndexOf("-")));

function answerWith({ body, headers, etag, cached }: RenderedConfig, request: Request): Response {
  return notModified(request, etag, cached) ?? new Response(body, { headers });
}

function render(document: BotDocument, addresses: PublicAddresses): RenderedBot {
  const renderIn = (language?: string) => renderConfig(embedConfigOf(document, addresses, language));
  return {
    own: renderIn(),
    byLanguage: new Map(wordedLanguages(document).map((tag) => [tag.toLowerCase(), renderIn(tag)])),
  };
}

function renderConfig(config: EmbedConfig): RenderedConfig {
  const body = JSON.stringify(config);
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
