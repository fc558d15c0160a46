import { Type } from "@sinclair/typebox";

import { ServiceError } from "../../domain/errors.ts";
import { BotDetails, BotVersionDetails, BotVersionSummary } from "../../domain/operator/bots.ts";
import { restoreVersion, writtenOrExported } from "../../operate/publish/publish-bot.ts";
import {
  AcceptFaults,
  assertPublished,
  BotParams,
  type BotRoutesParts,
  findBot,
  versionSummary,
} from "./bot-parts.ts";
import { publishParts, replyWith } from "./bots.ts";
import { namedVersion } from "./etag.ts";
import { type ApiRoute, pageOf, route } from "./frame.ts";
import { cursorOf, placeOf } from "./read-call.ts";

/** Maximum number of versions in one page of the list. A full page has a cursor, even if no version follows. */
const MAX_LISTED = 50;

const VersionParams = Type.Object({
  ...BotParams.properties,
  version: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

/** Routes of a bot's versions. */
export function botVersionRoutes(parts: BotRoutesParts): ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/bots/:bot/versions",
      permission: "read",
      summary: "The versions of a bot, the latest first",
      params: BotParams,
      query: Type.Object({ cursor: Type.Optional(Type.String()) }),
      response: pageOf(BotVersionSummary),
      async answer({ params, query: { cursor } }) {
        const { key } = await findBot(parts, params.bot);
        const before = cursor === undefined ? undefined : placeOf(Type.Integer(), cursor);
        const versions = await parts.store.bots.listVersions(key, MAX_LISTED, before);
        const last = versions.length === MAX_LISTED ? versions.at(-1) : undefined;
        return { items: versions.map(versionSummary), next: last ? cursorOf(last.version) : null };
      },
    }),
    route({
      method: "GET",
      path: "/bots/:bot/versions/:version",
      permission: "read",
      summary: "A version as it was published",
      params: VersionParams,
      response: BotVersionDetails,
      async answer({ params }) {
        const { key } = await findBot(parts, params.bot);
        const written = await parts.store.bots.findWritten(key, params.version);
        if (!written) throw noSuchVersion();
        const { yaml, document, ...version } = written;
        return { ...versionSummary(version), yaml: writtenOrExported(yaml, document), document };
      },
    }),
    route({
      method: "POST",
      path: "/bots/:bot/versions/:version/restore",
      permission: "bots.write",
      summary: "Publish an earlier version again, replacing the one named by If-Match",
      params: VersionParams,
      body: Type.Optional(Type.Object({ acceptFaults: AcceptFaults })),
      response: BotDetails,
      async answer({ params: { bot: id, version }, body: { acceptFaults = false }, request, signal }) {
        const bot = await findBot(parts, id);
        const replaces = namedVersion(request, bot.version);
        const publishing = { acceptFaults, signal };
        const result = await restoreVersion(publishParts(parts), bot, { version, replaces }, publishing);
        if (!result) throw noSuchVersion();
        return replyWith(parts, await assertPublished(parts, result));
      },
    }),
  ];
}

function noSuchVersion(): ServiceError {
  return new ServiceError("NOT_FOUND", "This bot has no such version.");
}
