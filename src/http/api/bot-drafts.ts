import { Type } from "@sinclair/typebox";

import { ServiceError } from "../../domain/errors.ts";
import { BotDraft } from "../../domain/operator/bots.ts";
import { MAX_BOT_FILE_BYTES } from "../../seed/bot-sources.ts";
import type { StoredDraft } from "../../store/interface/bots.ts";
import { BotParams, type BotRoutesParts, findBot, MAX_YAML_BODY } from "./bot-parts.ts";
import { conflict, etagOf, namedVersion } from "./etag.ts";
import { type ApiRoute, Reply, route } from "./frame.ts";

/** Routes of drafts, which all editors of a bot share. */
export function botDraftRoutes(parts: BotRoutesParts): ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/bots/:bot/draft",
      permission: "read",
      summary: "The draft of a bot with its ETag; 204 if there is none",
      params: BotParams,
      response: BotDraft,
      async answer({ params }) {
        const { key } = await findBot(parts, params.bot);
        const draft = await parts.store.botDrafts.find(key);
        return draft && replyWith(draft);
      },
    }),
    route({
      method: "PUT",
      path: "/bots/:bot/draft",
      permission: "bots.write",
      summary: "Save the draft, with or without mistakes; If-Match must name an existing draft",
      maxBodyBytes: MAX_YAML_BODY,
      params: BotParams,
      body: Type.Object({
        yaml: Type.String({ maxLength: MAX_BOT_FILE_BYTES }),
        baseVersion: Type.Integer({ minimum: 1 }),
      }),
      response: BotDraft,
      async answer({ params, body, request }) {
        const { key } = await findBot(parts, params.bot);
        const stored = await parts.store.botDrafts.find(key);
        const isFirst = stored === undefined && request.headers.get("if-match") === null;
        const seen = isFirst ? "none" : namedVersion(request, stored?.revision);
        const saved = await parts.store.botDrafts.save(key, body, seen);
        if (!saved) throw conflict((await parts.store.botDrafts.find(key))?.revision);
        return replyWith(saved);
      },
    }),
    route({
      method: "DELETE",
      path: "/bots/:bot/draft",
      permission: "bots.write",
      summary: "Discard the draft named by If-Match",
      params: BotParams,
      async answer({ params, request }) {
        const { key } = await findBot(parts, params.bot);
        const stored = await parts.store.botDrafts.find(key);
        if (!stored) throw noDraft();
        const seen = namedVersion(request, stored.revision);
        if (await parts.store.botDrafts.delete(key, seen)) return;
        throw conflict((await parts.store.botDrafts.find(key))?.revision);
      },
    }),
  ];
}

function noDraft(): ServiceError {
  return new ServiceError("NOT_FOUND", "This bot has no draft.");
}

function replyWith(draft: StoredDraft): Reply<BotDraft> {
  return new Reply(draft, { etag: etagOf(draft.revision) });
}
