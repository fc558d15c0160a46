import { Elysia } from "elysia";

import { botNotFound } from "../bots/bot-not-found.ts";
import { embedConfigOf } from "../bots/embed-config.ts";
import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { BotRegistry } from "../bots/registry.ts";
import type { PublicAddresses } from "../config/addresses.ts";
import { ServiceError } from "../domain/errors.ts";
import { sha256 } from "../domain/sha256.ts";
import { notModified } from "./conditional.ts";
import { type ContextOf, noteBotId } from "./request-context.ts";

/** The parts that GET /embed-config uses. */
export interface EmbedConfigParts {
  bots: Pick<BotRegistry, "find">;
  addresses: () => PublicAddresses;
}

/** The same for every request, as long as the bot's version is served. */
interface RenderedConfig {
  body: string;
  etag: string;
}

/** GET /embed-config: public; cached for a minute, and revalidated by its ETag (decisions §10). */
export function embedConfigRoute({ bots, addresses }: EmbedConfigParts, contextOf: ContextOf) {
  const rendered = new WeakMap<LoadedBot, RenderedConfig>();
  return new Elysia().get("/embed-config", ({ request }) => {
    const botId = new URL(request.url).searchParams.get("botId");
    if (!botId) throw missingBotId();
    noteBotId(contextOf(request), botId);
    const bot = bots.find(botId);
    if (!bot) throw botNotFound();
    const { body, etag } = rendered.get(bot) ?? render(bot, addresses());
    rendered.set(bot, { body, etag });
    const headers = { "Cache-Control": "public, max-age=60", ETag: etag };
    return (
      notModified(request, headers) ??
      new Response(body, { headers: { ...headers, "Content-Type": "application/json" } })
    );
  });
}

function render({ document }: LoadedBot, addresses: PublicAddresses): RenderedConfig {
  const body = JSON.stringify(embedConfigOf(document, addresses));
  return { body, etag: `"${sha256(body).toString("base64url").slice(0, 22)}"` };
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
