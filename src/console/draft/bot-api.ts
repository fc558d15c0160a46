import type { BotDetails, BotDraft, BotValidation } from "../../domain/operator/bots.ts";
import { askTagged, type Tagged } from "../api/client.ts";
import type { InputOf } from "../api/routes.ts";

/** A text that is to be published; `draft` is the revision of the draft that it is. */
export type Publication = InputOf<"PUT /bots/:bot">["body"];

/** What editing a bot asks of the server. */
export interface BotApi {
  details(): Promise<Tagged<BotDetails>>;
  /** Undefined where nothing is being edited. */
  draft(): Promise<Tagged<BotDraft> | undefined>;
  versionYaml(version: number): Promise<string>;
  /** @param etag of the draft that was seen; undefined: there was none. */
  saveDraft(yaml: string, baseVersion: number, etag: string | undefined): Promise<Tagged<BotDraft>>;
  deleteDraft(etag: string): Promise<void>;
  validate(yaml: string, signal: AbortSignal): Promise<BotValidation>;
  /** @param etag of the version that it takes the place of. */
  publish(publication: Publication, etag: string): Promise<Tagged<BotDetails>>;
  restore(version: number, etag: string, acceptFaults: boolean): Promise<Tagged<BotDetails>>;
}

/** The operator API, of one bot. @param send how requests are sent. */
export function botApi(bot: string, send: typeof askTagged = askTagged): BotApi {
  const path = { bot };
  return {
    details: () => send("GET /bots/:bot", { path }),
    draft: async () => {
      const { answer, etag } = await send("GET /bots/:bot/draft", { path });
      // An empty answer: nothing is being edited.
      return (answer as BotDraft | undefined) && { answer, etag };
    },
    versionYaml: async (version) =>
      (await send("GET /bots/:bot/versions/:version", { path: { bot, version } })).answer.yaml,
    saveDraft: (yaml, baseVersion, etag) =>
      send(
        "PUT /bots/:bot/draft",
        { path, body: { yaml, baseVersion } },
        // The page may be closed the moment after something was typed.
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
