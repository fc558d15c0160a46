import { ask, type OperatedLine } from "./ask.ts";
import type { Deed, DeedParts } from "./deed.ts";
import { edition } from "./publishing.ts";

interface Draft {
  revision: number;
  yaml: string;
}

/** What is stored of a bot, as far as its one editor was told. */
interface State {
  version: number;
  yaml: string | undefined;
  draft: Draft | undefined;
}

/** What was asked for and not answered. */
type Pending = { kind: "save"; yaml: string } | { kind: "publish"; yaml: string; dropsDraft: boolean };

const PUBLISH_SHARE = 0.25;
const OLD_REVISION_SHARE = 0.3;

/** One editor saves drafts and publishes with the revision that was published: the draft goes with the version, in one commit. */
export class Drafting implements Deed {
  readonly hands = 1;
  readonly #parts: DeedParts;
  readonly #bot: string;
  #state: State = { version: 1, yaml: undefined, draft: undefined };
  #pending: Pending | undefined;

  constructor(parts: DeedParts, bot: string) {
    this.#parts = parts;
    this.#bot = bot;
  }

  async act(line: OperatedLine): Promise<void> {
    const { random } = this.#parts;
    const { draft } = this.#state;
    if (draft && random() < PUBLISH_SHARE) await this.#publish(line, draft);
    else await this.#save(line);
  }

  async #save(line: OperatedLine): Promise<void> {
    const { version, draft } = this.#state;
    const yaml = edition(this.#bot, this.#parts.nextNumber());
    this.#pending = { kind: "save", yaml };
    const { status, body } = await ask<Draft>(line, "PUT", `/bots/${this.#bot}/draft`, {
      body: { yaml, baseVersion: version },
      headers: draft ? { "If-Match": `"v${draft.revision}"` } : {},
    });
    this.#pending = undefined;
    if (status !== 200) return this.#refused("a draft", status, body);
    this.#state.draft = { revision: body.revision, yaml };
    this.#parts.tally.tried.drafts++;
  }

  /** A draft of which an older revision is named stays: somebody has gone on with it. */
  async #publish(line: OperatedLine, draft: Draft): Promise<void> {
    const { random, tally } = this.#parts;
    const { version } = this.#state;
    const dropsDraft = random() >= OLD_REVISION_SHARE;
    const { yaml } = draft;
    this.#pending = { kind: "publish", yaml, dropsDraft };
    const { status, body } = await ask<{ version: number }>(line, "PUT", `/bots/${this.#bot}`, {
      body: { yaml, draft: dropsDraft ? draft.revision : draft.revision - 1 },
      headers: { "If-Match": `"v${version}"` },
    });
    this.#pending = undefined;
    if (status !== 200) return this.#refused("a publication", status, body);
    // To publish the same text once more changes nothing.
    this.#state = { version: body.version, yaml, draft: dropsDraft ? undefined : draft };
    tally.tried.published++;
  }

  #refused(what: string, status: number, body: unknown): void {
    this.#parts.tally.note(
      "unexpected",
      `${this.#bot}: ${what} got ${status} from its one editor: ${JSON.stringify(body)}`,
    );
  }

  async check(line: OperatedLine, place: string): Promise<void> {
    const { tally } = this.#parts;
    const bot = await ask<{ version: number; yaml: string }>(line, "GET", `/bots/${this.#bot}`);
    const saved = await ask<Draft | undefined>(line, "GET", `/bots/${this.#bot}/draft`);
    const stored = {
      version: bot.body.version,
      yaml: bot.body.version === 1 ? undefined : bot.body.yaml,
      draft: saved.status === 200 ? saved.body : undefined,
    };
    if (!this.#possible().some((state) => isSame(state, stored)))
      tally.note(
        "lost",
        `${place}: ${this.#bot} is ${wordsOf(stored)}, was told to be ${this.#possible().map(wordsOf).join(", or ")}`,
      );
    this.#state = stored;
    this.#pending = undefined;
  }

  /** What may be stored now: what was told, or what was asked for since and not answered. */
  #possible(): State[] {
    const told = this.#state;
    if (this.#pending === undefined) return [told];
    const { kind, yaml } = this.#pending;
    if (kind === "save") return [told, { ...told, draft: { yaml, revision: NaN } }];
    const { dropsDraft } = this.#pending;
    const isNew = yaml !== told.yaml;
    return [
      told,
      {
        version: isNew ? told.version + 1 : told.version,
        yaml,
        draft: dropsDraft ? undefined : told.draft,
      },
    ];
  }
}

function wordsOf({ version, yaml, draft }: State): string {
  const editionOf = (text = "") => /Edition \d+/.exec(text)?.[0] ?? "as seeded";
  const drafted = draft ? `the draft ${editionOf(draft.yaml)} (${draft.revision})` : "no draft";
  return `version ${version} (${editionOf(yaml)}) with ${drafted}`;
}

function isSame(told: State, stored: State): boolean {
  return (
    told.version === stored.version &&
    told.yaml === stored.yaml &&
    told.draft?.yaml === stored.draft?.yaml &&
    // The revision of what was not answered is nobody's to know.
    (told.draft === undefined ||
      Number.isNaN(told.draft.revision) ||
      told.draft.revision === stored.draft?.revision)
  );
}
