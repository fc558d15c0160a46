import { ask, type OperatedLine } from "./ask.ts";
import type { Deed, DeedParts } from "./deed.ts";

interface ListedDocument {
  id: string;
  source: string;
  passages: number;
}

/** A document in which a word stands that no other has. */
interface Document {
  word: string;
  /** Each has a heading, and is a passage. */
  sections: number;
}

const NAMES = ["a.md", "b.md", "c.md"];
const DELETE_SHARE = 0.15;
const MAX_SECTIONS = 6;
/** More than the store writes in one step. */
const LARGE_SHARE = 0.1;
const LARGE_SECTIONS = 450;

/** One operator uploads documents in the place of each other, and deletes some. */
export class Uploading implements Deed {
  readonly hands = 1;
  readonly #parts: DeedParts;
  readonly #bot: string;
  readonly #told = new Map<string, Document | undefined>();
  #ids = new Map<string, string>();
  /** What was asked for and not answered; undefined: that it goes. */
  #pending: { name: string; document: Document | undefined } | undefined;
  #newest: string | undefined;

  constructor(parts: DeedParts, bot: string) {
    this.#parts = parts;
    this.#bot = bot;
  }

  async act(line: OperatedLine): Promise<void> {
    const { random } = this.#parts;
    const name = NAMES[Math.floor(random() * NAMES.length)]!;
    const id = this.#ids.get(name);
    if (id !== undefined && random() < DELETE_SHARE) await this.#delete(line, name, id);
    else await this.#upload(line, name);
  }

  async #upload(line: OperatedLine, name: string): Promise<void> {
    const { random, tally, nextNumber } = this.#parts;
    const sections = random() < LARGE_SHARE ? LARGE_SECTIONS : 1 + Math.floor(random() * MAX_SECTIONS);
    const document = { word: `quarrix${nextNumber()}`, sections };
    const form = new FormData();
    form.append("file", new File([textOf(document)], name));
    this.#pending = { name, document };
    const { status, body } = await ask<ListedDocument>(line, "POST", `/bots/${this.#bot}/knowledge`, {
      form,
    });
    this.#pending = undefined;
    if (status !== 201) return tally.note("unexpected", `an upload got ${status}: ${JSON.stringify(body)}`);
    if (body.passages !== sections)
      tally.note("halfStored", `${name}: ${body.passages} passages of ${sections}`);
    this.#told.set(name, document);
    this.#ids.set(name, body.id);
    this.#newest = name;
    tally.tried.uploads++;
  }

  async #delete(line: OperatedLine, name: string, id: string): Promise<void> {
    this.#pending = { name, document: undefined };
    const { status } = await ask(line, "DELETE", `/bots/${this.#bot}/knowledge/${id}`);
    this.#pending = undefined;
    if (status !== 204) return this.#parts.tally.note("unexpected", `to delete an upload got ${status}`);
    this.#told.delete(name);
    this.#ids.delete(name);
  }

  async check(line: OperatedLine, place: string): Promise<void> {
    const { body } = await ask<{ items: ListedDocument[] }>(line, "GET", `/bots/${this.#bot}/knowledge`);
    const listed = new Map(body.items.map((item) => [item.source, item]));
    for (const name of NAMES) this.#compare(name, listed.get(name), place);
    this.#ids = new Map(body.items.map(({ source, id }) => [source, id]));
    this.#pending = undefined;
    await this.#find(place);
  }

  #compare(name: string, stored: ListedDocument | undefined, place: string): void {
    const { tally } = this.#parts;
    const told = this.#told.get(name);
    const pending = this.#pending?.name === name ? this.#pending : undefined;
    const possible = [told?.sections, ...(pending ? [pending.document?.sections] : [])];
    if (!possible.includes(stored?.passages)) {
      const kind = told !== undefined && stored === undefined ? "lost" : "halfStored";
      tally.note(
        kind,
        `${place}: ${this.#bot}/${name}: ${stored?.passages} passages, not ${possible.join(" or ")}`,
      );
    }
    if (pending) {
      // Which of the two it is, its word does not tell any more.
      this.#told.set(name, stored && { word: "", sections: stored.passages });
      if (this.#newest === name) this.#newest = undefined;
    }
  }

  /** As somebody searches for it. */
  async #find(place: string): Promise<void> {
    const { folder, tally } = this.#parts;
    const document = this.#newest === undefined ? undefined : this.#told.get(this.#newest);
    if (!document) return;
    const query = `What is the ${document.word} of section 1?`;
    const { exitCode, stdout, stderr } = await folder.run([
      "knowledge",
      "search",
      this.#bot,
      query,
      "--json",
    ]);
    tally.tried.searches++;
    if (exitCode !== 0 || !stdout.replaceAll(query, "").includes(document.word))
      tally.note("lost", `${place}: ${this.#bot}/${this.#newest} is not found: ${stdout}${stderr}`);
  }
}

function textOf({ word, sections }: Document): string {
  const parts = Array.from(
    { length: sections },
    (_, section) =>
      `## The ${word} of section ${section + 1}\n\nThe ${word} of section ${section + 1} is ${section * 7} days, counted from the day on which the parcel came.`,
  );
  return `# About ${word}\n\n${parts.join("\n\n")}\n`;
}
