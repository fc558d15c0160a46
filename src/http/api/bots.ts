import { Type } from "@sinclair/typebox";

import { BotDetails, BotSummary } from "../../domain/operator/bots.ts";
import { createBot, publishBot, writtenOrExported } from "../../operate/publish/publish-bot.ts";
import type { Workshop } from "../../operate/workshop.ts";
import { botJsonSchema } from "../../seed/bot-json-schema.ts";
import type { BotOutline, StoredBot } from "../../store/interface/bots.ts";
import {
  AcceptFaults,
  assertPublished,
  BotParams,
  type BotRoutesParts,
  findBot,
  MAX_YAML_BODY,
  noSuchBot,
  versionSummary,
  Yaml,
} from "./bot-parts.ts";
import { etagOf, namedVersion } from "./etag.ts";
import { allOf, type ApiRoute, Reply, route } from "./frame.ts";

/** Routes of bots: listing, reading, publishing, turning on and off, and deleting. */
export function botRoutes(parts: BotRoutesParts): ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/bots",
      permission: "read",
      summary: "All bots, by id",
      response: allOf(BotSummary),
      answer: async () => ({ items: await summariesOf(parts, await parts.store.bots.outline()) }),
    }),
    route({
      method: "GET",
      path: "/bots/schema",
      permission: "read",
      summary: "The JSON Schema of a bot file, for editors",
      response: Type.Unknown(),
      answer: () => botJsonSchema(),
    }),
    route({
      method: "POST",
      path: "/bots",
      permission: "bots.write",
      summary: "Make a bot; visitors are answered within a second",
      maxBodyBytes: MAX_YAML_BODY,
      body: Type.Object({ yaml: Yaml, acceptFaults: AcceptFaults }),
      response: BotDetails,
      async answer({ body: { yaml, acceptFaults = false }, signal }) {
        const made = await createBot(publishParts(parts), yaml, { acceptFaults, signal });
        const id = await assertPublished(parts, made);
        return replyWith(parts, id, { status: 201 });
      },
    }),
    route({
      method: "GET",
      path: "/bots/:bot",
      permission: "read",
      summary: "A bot as it is published; its ETag names the version",
      params: BotParams,
      response: BotDetails,
      answer: ({ params: { bot }, signal }) =>
        replyWith(parts, bot, { check: (...draft) => parts.workshop.check(...draft, signal) }),
    }),
    route({
      method: "PUT",
      path: "/bots/:bot",
      permission: "bots.write",
      summary: "Publish a version that replaces the one named by If-Match; it is live within a second",
      maxBodyBytes: MAX_YAML_BODY,
      params: BotParams,
      body: Type.Object({
        yaml: Yaml,
        note: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
        draft: Type.Optional(
          Type.Integer({
            minimum: 1,
            description:
              "Revision of the draft that this was made of: it goes, unless it was changed since. Absent: no draft goes",
          }),
        ),
        acceptFaults: AcceptFaults,
      }),
      response: BotDetails,
      async answer({ params, body: { yaml, note, draft, acceptFaults = false }, request, signal }) {
        const bot = await findBot(parts, params.bot);
        const replaces = namedVersion(request, bot.version);
        const publication = {
          yaml,
          replaces,
          ...(note !== undefined && { note }),
          ...(draft !== undefined && { draft }),
        };
        const result = await publishBot(publishParts(parts), bot, publication, { acceptFaults, signal });
        return replyWith(parts, await assertPublished(parts, result));
      },
    }),
    route({
      method: "PATCH",
      path: "/bots/:bot",
      permission: "bots.write",
      summary: "Enable or disable a bot, within a second",
      params: BotParams,
      body: Type.Object({ enabled: Type.Boolean() }),
      response: BotDetails,
      async answer({ params, body: { enabled } }) {
        if (!(await parts.store.bots.setEnabled(params.bot, enabled))) throw noSuchBot();
        return replyWith(parts, params.bot);
      },
    }),
    route({
      method: "DELETE",
      path: "/bots/:bot",
      permission: "bots.delete",
      summary:
        "Delete a bot with its conversations, usage and token grants: nobody finds them from now on, and they are erased within minutes",
      params: BotParams,
      async answer({ params }) {
        if (!(await parts.store.bots.delete(params.bot))) throw noSuchBot();
        parts.improvement.forget();
      },
    }),
  ];
}

/** The parts for publishing. */
export function publishParts({ store, workshop }: BotRoutesParts) {
  const runTests: Workshop["testPublished"] = (...bot) => workshop.testPublished(...bot);
  return { store, checks: workshop.publishChecks, runTests };
}

interface ReplyOptions {
  status?: number;
  /** Absent: nothing to check. */
  check?: Check;
}

type Check = Workshop["checkPublished"];

/** The current state of a bot. @throws ServiceError NOT_FOUND */
export async function replyWith(
  parts: BotRoutesParts,
  id: string,
  { status, check = (...draft) => parts.workshop.checkPublished(...draft) }: ReplyOptions = {},
): Promise<Reply<BotDetails>> {
  const bot = await findBot(parts, id);
  const etag = etagOf(bot.version);
  return new Reply(await detailsOf(parts, bot, check), { etag, ...(status !== undefined && { status }) });
}

async function detailsOf(parts: BotRoutesParts, bot: StoredBot, check: Check): Promise<BotDetails> {
  const [summary] = await summariesOf(parts, await parts.store.bots.outline(bot.id));
  const written = (await parts.store.bots.findWritten(bot.key, bot.version))!;
  const yaml = writtenOrExported(written.yaml, bot.document);
  const { mistakes } = await check(bot, yaml);
  const { publishedBy } = versionSummary(written);
  // It was deleted in the meantime.
  if (!summary) throw noSuchBot();
  const endpoints = parts.workshop.endpointsFor(bot.id);
  return { ...summary, yaml, document: bot.document, publishedBy, mistakes, endpoints };
}

async function summariesOf(
  { store, now }: BotRoutesParts,
  bots: readonly BotOutline[],
): Promise<BotSummary[]> {
  const used = await store.readUsage(
    bots.map(({ key }) => key),
    now(),
  );
  const drafted = await store.botDrafts.list();
  return bots.map(({ key, limits: { monthlyMessageCap: cap }, ...bot }) => ({
    ...bot,
    messages: used.get(key)?.messages ?? 0,
    ...(cap !== undefined && { cap }),
    hasDraft: drafted.has(key),
  }));
}
