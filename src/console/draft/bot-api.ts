import type { BotDetails, BotDraft, BotValidation } from "../../domain/operator/bots.ts";
import { ask, askTagged, type Tagged } from "../api/client.ts";

/** What editing a bot asks of the server. Tests give another. */
export interface BotApi {
  details(): Promise<Tagged<BotDetails>>;
  /** Undefined where nothing is being edited. */
  draft(): Promise<Tagged<BotDraft> | undefined>;
  versionYaml(version: number): Promise<string>;
  /** @param etag of the draft that was seen; undefined: there was none. */
  saveDraft(yaml: string, baseVersion: number, etag: string | undefined): Promise<Tagged<BotDraft>>;
  deleteDraft(etag: string): Promise<void>;
  validate(yaml: string, signal: AbortSignal): Promise<BotValidation>;
  publish(yaml: string, note: string | undefined, etag: string): Promise<Tagged<BotDetails>>;
  restore(version: number, etag: string): Promise<Tagged<BotDetails>>;
}

/** The operator API, of one bot. */
export function botApi(bot: string): BotApi {
  const path = { bot };
  return {
    details: () => askTagged("GET /bots/:bot", { path }),
    draft: async () => {
      const { answer, etag } = await askTagged("GET /bots/:bot/draft", { path });
      // An empty answer: nothing is being edited.
      return (answer as BotDraft | undefined) && { answer, etag };
    },
    versionYaml: async (version) =>
      (await ask("GET /bots/:bot/versions/:version", { path: { bot, version } })).yaml,
    saveDraft: (yaml, baseVersion, etag) =>
      askTagged(
        "PUT /bots/:bot/draft",
        { path, body: { yaml, baseVersion } },
        { ...(etag !== undefined && { ifMatch: etag }) },
      ),
    deleteDraft: (etag) => ask("DELETE /bots/:bot/draft", { path }, { ifMatch: etag }),
    validate: (yaml, signal) => ask("POST /bots/:bot/validate", { path, body: { yaml } }, { signal }),
    publish: (yaml, note, etag) =>
      askTagged(
        "PUT /bots/:bot",
        { path, body: { yaml, ...(note !== undefined && { note }) } },
        { ifMatch: etag },
      ),
    restore: (version, etag) =>
      askTagged("POST /bots/:bot/versions/:version/restore", { path: { bot, version } }, { ifMatch: etag }),
  };
}
