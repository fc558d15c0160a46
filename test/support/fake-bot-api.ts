import { Problem } from "../../src/console/api/problem.ts";
import type { BotApi } from "../../src/console/draft/bot-api.ts";
import type { BotDetails, BotDraft } from "../../src/domain/operator/bots.ts";

const conflict = () =>
  new Problem({ status: 412, code: "CONFLICT", detail: "It has been changed meanwhile." });

/** A bot on a server that keeps the promises of the operator API about ETags, and nothing else. */
export class FakeBot {
  readonly versions: string[];
  draft: (BotDraft & { revision: number }) | undefined;
  isDown = false;
  #revision = 0;

  constructor(yaml: string) {
    this.versions = [yaml];
  }

  get details(): BotDetails {
    const yaml = this.versions.at(-1)!;
    const facts = {
      id: "acme",
      name: "Acme",
      enabled: true,
      origin: "console" as const,
      intents: 1,
      updatedAt: 0,
    };
    const version = this.versions.length;
    return {
      ...facts,
      version,
      messages: 0,
      hasDraft: false,
      yaml,
      document: {},
      publishedBy: "eve",
      mistakes: [],
    };
  }

  publish(yaml: string): void {
    this.versions.push(yaml);
  }

  saveDraft(yaml: string, by: string, baseVersion = this.versions.length): void {
    this.draft = { yaml, baseVersion, updatedBy: by, updatedAt: 0, revision: ++this.#revision };
  }

  /** As somebody sees it from the console. */
  api(who: string): BotApi {
    const up = <T>(answer: () => T) =>
      this.isDown
        ? Promise.reject(new Problem({ status: 0, code: "OFFLINE", detail: "Parley does not answer." }))
        : Promise.resolve().then(answer);
    const draftTag = () => (this.draft === undefined ? '"vnone"' : `"v${this.draft.revision}"`);
    const tagged = () => ({ answer: this.details, etag: `"v${this.versions.length}"` });
    const seeing = <T>(etag: string | undefined, current: string, change: () => T) =>
      up(() => {
        if ((etag ?? '"vnone"') !== current) throw conflict();
        return change();
      });
    return {
      details: () => up(tagged),
      draft: () => up(() => this.draft && { answer: this.draft, etag: draftTag() }),
      versionYaml: (version) => up(() => this.versions[version - 1]!),
      saveDraft: (yaml, baseVersion, etag) =>
        seeing(etag, draftTag(), () => {
          this.saveDraft(yaml, who, baseVersion);
          return { answer: this.draft!, etag: draftTag() };
        }),
      deleteDraft: (etag) => seeing(etag, draftTag(), () => (this.draft = undefined)),
      validate: () => up(() => ({ mistakes: [] })),
      publish: (yaml, _note, etag) =>
        seeing(etag, tagged().etag, () => {
          this.publish(yaml);
          return tagged();
        }),
      restore: (version, etag) =>
        seeing(etag, tagged().etag, () => {
          this.publish(this.versions[version - 1]!);
          return tagged();
        }),
    };
  }
}
