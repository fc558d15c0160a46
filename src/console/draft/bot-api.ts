import type { BotDetails, BotDraft, BotValidation } from "../../domain/operator/bots.ts";
import { askTagged, type Tagged } from "../api/client.ts";
import type { InputOf } from "../api/routes.ts";

/** A text to publish; `draft` is its revision as a draft. */
type Publication = InputOf<"PUT /bots/:bot">["body"];

/** The API calls of the bot editor. */
export interface BotApi {
  details(): Promise<Tagged<BotDetails>>;
  /** Undefined if the bot has no draft. */
  draft(): Promise<Tagged<BotDraft> | undefined>;
  versionYaml(version: number): Promise<string>;
  /** @param etag of the draft that was read; undefined if there was none. */
  saveDraft(yaml: string, baseVersion: number, etag: string | undefined): Promise<Tagged<BotDraft>>;
  deleteDraft(etag: string): Promise<void>;
  validate(yaml: string, signal: AbortSignal): Promise<BotValidation>;
  /** @param etag of the version that it replaces. */
  publish(publication: Publication, etag: string): Promise<Tagged<BotDetails>>;
  restore(version: number, etag: string, acceptFaults: boolean): Promise<Tagged<BotDetails>>;
}

/** The operator API for one bot. @param send sends the requests. */
export function botApi(bot: string, send: typeof askTagged = askTagged): BotApi {
  const path = { bot };
  return {
    details: () => send("GET /bots/:bot", { path }),
    draft: async () => {
      const { answer, etag } = await send("GET /bots/:bot/draft", { path });
      // An empty answer means that the bot has no draft.
      return (answer as BotDraft | undefined) && { answer, etag };
    },
    versionYaml: async (version) =>
      (await send("GET /bots/:bot/versions/:version", { path: { bot, version } })).answer.yaml,
    saveDraft: (yaml, baseVersion, etag) =>
      send(
        "PUT /bots/:bot/draft",
        { path, body: { yaml, baseVersion } },
        // Also sent if the page is closed right after typing.
        { isKept: true, ...(etag !== undefined && { ifMatch: etag }) },
      ),
    deleteDraft: async (etag) => {
      await send("DELETE /bots/:bot/draft", { path }, { ifMatch: etag });
    },
    validate: async (yaml, signal) =>
      (await send("POST /bots/:bot/validate", { path, body: { yaml } }, { signal })).answer,
    publish: (body, etag) => send("PUT /bots/:bot", { path, body }, { ifMatch: etag }),
    restore: (version, etag, acceptFaults) =>
      send(
        "POST /bots/:bot/versions/:version/restore",
        { path: { bot, version }, body: { acceptFaults } },
        { ifMatch: etag },
      ),
  };
}
