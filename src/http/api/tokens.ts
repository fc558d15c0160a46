import { Type } from "@sinclair/typebox";

import type { PublicAddresses } from "../../config/addresses.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { BotId, EmbedTokenId } from "../../domain/ids.ts";
import { NewToken, TokenRow } from "../../domain/operator/server.ts";
import { issueEmbedToken } from "../../operate/issue-embed-token.ts";
import type { EmbedTokenCache } from "../../store/embed-token-cache.ts";
import type { StoredEmbedToken } from "../../store/interface/embed-tokens.ts";
import type { Store } from "../../store/interface/store.ts";
import { widgetSnippet } from "../../widget/snippet.ts";
import { invalid } from "../json-body.ts";
import { type ApiRoute, ById, Reply, allOf, route } from "./frame.ts";

export interface TokenRoutesParts {
  store: Pick<Store, "embedTokens" | "bots">;
  embedTokens: Pick<EmbedTokenCache, "lastUsedAt">;
  now: () => number;
  randomBytes: (length: number) => Uint8Array;
  addresses: () => PublicAddresses;
}

/** Routes of embed tokens. */
export function tokenRoutes(parts: TokenRoutesParts): ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/tokens",
      permission: "read",
      summary: "All embed tokens, the newest first; the tokens themselves are not stored",
      response: allOf(TokenRow),
      async answer() {
        const stored = await parts.store.embedTokens.list();
        return { items: stored.toReversed().map((token) => rowOf(token, parts)) };
      },
    }),
    route({
      method: "POST",
      path: "/tokens",
      permission: "tokens.write",
      summary: "Issue an embed token; it is shown only once, with the snippet for a page",
      body: Type.Object({
        bots: Type.Array(Type.String(), { minItems: 1, maxItems: 1000, uniqueItems: true }),
        label: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        expiresAt: Type.Optional(Type.Integer()),
      }),
      response: NewToken,
      async answer({ body: { bots, label, expiresAt } }) {
        const now = parts.now();
        if (expiresAt !== undefined && expiresAt <= now) {
          const fault = { pointer: "/expiresAt", detail: "must be in the future" };
          throw invalid("A token cannot end in the past.", [fault]);
        }
        const botIds = await Promise.all(bots.map((id, place) => knownBot(parts, id, place)));
        const issued = await issueEmbedToken(parts.store, parts, {
          botIds,
          ...(label !== undefined && { label }),
          ...(expiresAt !== undefined && { expiresAt }),
        });
        const token = issued.embedToken;
        const snippet = widgetSnippet({ ...parts.addresses(), botId: botIds[0]!, embedToken: token });
        return new Reply({ ...rowOf({ ...issued, createdAt: now }, parts), token, snippet }, { status: 201 });
      },
    }),
    route({
      method: "POST",
      path: "/tokens/:id/revoke",
      permission: "tokens.write",
      summary: "Revoke an embed token; servers refuse it within a second",
      params: ById,
      response: TokenRow,
      async answer({ params: { id } }) {
        await parts.store.embedTokens.revoke(id);
        const token = (await parts.store.embedTokens.list()).find((known) => known.id === id);
        if (token === undefined) throw new ServiceError("NOT_FOUND", "There is no embed token of this id.");
        return rowOf(token, parts);
      },
    }),
  ];
}

async function knownBot({ store }: TokenRoutesParts, id: string, place: number): Promise<BotId> {
  const bot = await store.bots.find(id);
  if (bot) return bot.id;
  const fault = { pointer: `/bots/${place}`, detail: "is not a bot of this server" };
  throw invalid(`There is no bot ${id}.`, [fault]);
}

type Listed = Omit<StoredEmbedToken, "key"> & { id: EmbedTokenId };

function rowOf(token: Listed, { embedTokens }: TokenRoutesParts): TokenRow {
  const { id, botIds, label, createdAt, expiresAt, revokedAt } = token;
  const lastUsedAt = embedTokens.lastUsedAt(id);
  return {
    id,
    bots: botIds,
    ...(label !== undefined && { label }),
    createdAt,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(revokedAt !== undefined && { revokedAt }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
  };
}
