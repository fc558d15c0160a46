import { type ReadonlySignal, computed, signal } from "@preact/signals";

import type { BotDetails, BotDraft, BotMistake } from "../../domain/operator/bots.ts";
import type { Tagged } from "../api/client.ts";
import { Problem } from "../api/problem.ts";
import { asProblem } from "../api/resource.ts";
import { putOnTop } from "../diff/on-top.ts";
import { isEditable } from "../yaml/edit.ts";
import type { BotApi } from "./bot-api.ts";

/** Somebody else changed what is being edited here. */
export interface Clash {
  /** `draft`: what both edit; `published`: what the draft was begun from. */
  kind: "draft" | "published";
  by: string;
  at: number;
  /** What both began from. */
  base: string;
  theirs: string;
  /** Published meanwhile; of a clash about the published version. */
  version?: number;
}

export type SaveState = "saved" | "unsaved" | "saving" | "failed";

/** Pauses in typing that are longer than this are when a draft is saved and checked. */
const PAUSE_MS = 300;
/** Steps that can be taken back. A text has some 20 kB, so that they are a few megabytes at most. */
const MAX_UNDO = 100;

/** A bot while it is edited: its draft, kept on the server as it is typed. One for each bot, whatever page shows it. */
export class BotDraftEditor {
  readonly bot: string;
  readonly #api: BotApi;
  readonly #published = signal<Tagged<BotDetails> | undefined>(undefined);
  readonly #text = signal("");
  readonly #sound = signal("");
  readonly #mistakes = signal<readonly BotMistake[]>([]);
  readonly #defaultWelcome = signal("");
  readonly #saveState = signal<SaveState>("saved");
  readonly #clash = signal<Clash | undefined>(undefined);
  readonly #problem = signal<Problem | undefined>(undefined);
  readonly #undone = signal<readonly string[]>([]);
  /** The draft as the server has it; undefined: it has none. */
  #stored: Tagged<BotDraft> | undefined;
  #baseVersion = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checking: AbortController | undefined;
  #saving: Promise<void> | undefined;

  constructor(bot: string, api: BotApi) {
    this.bot = bot;
    this.#api = api;
  }

  /** The published version; undefined until it is read. */
  readonly published: ReadonlySignal<BotDetails | undefined> = computed(() => this.#published.value?.answer);
  /** What is being edited. */
  readonly text: ReadonlySignal<string> = computed(() => this.#text.value);
  /** The latest text that reads as a bot's fields: what forms show and edit. */
  readonly sound: ReadonlySignal<string> = computed(() => this.#sound.value);
  readonly isSound = computed(() => this.#sound.value === this.#text.value);
  readonly isChanged = computed(() => this.#text.value !== (this.#published.value?.answer.yaml ?? ""));
  /** Of the text, as the server judged it last. */
  readonly mistakes: ReadonlySignal<readonly BotMistake[]> = computed(() => this.#mistakes.value);
  /** What it greets with where it has no greeting, of the latest text that could be read as a bot. */
  readonly defaultWelcome: ReadonlySignal<string> = computed(() => this.#defaultWelcome.value);
  readonly errors = computed(
    () => this.#mistakes.value.filter(({ severity }) => severity === "error").length,
  );
  readonly saveState: ReadonlySignal<SaveState> = computed(() => this.#saveState.value);
  readonly clash: ReadonlySignal<Clash | undefined> = computed(() => this.#clash.value);
  /** Why it could not be saved. */
  readonly problem: ReadonlySignal<Problem | undefined> = computed(() => this.#problem.value);
  readonly canUndo = computed(() => this.#undone.value.length > 0);

  /** Reads bot and draft. @throws Problem */
  async load(): Promise<void> {
    const [published, draft] = await Promise.all([this.#api.details(), this.#api.draft()]);
    this.#published.value = published;
    // What was typed meanwhile stays. Where it clashes with what is read here, saving it says so.
    if (this.#saveState.peek() !== "saved") return;
    this.#stored = draft;
    const { version, yaml } = published.answer;
    this.#baseVersion = draft?.answer.baseVersion ?? version;
    this.#show(draft?.answer.yaml ?? yaml);
    this.#undone.value = [];
    this.#clash.value = undefined;
    this.#saveState.value = "saved";
    if (this.#baseVersion !== version) await this.#meetPublished(published.answer);
    await this.#check();
  }

  /** Reads again what is published, as after it was switched on; what is edited stays. @throws Problem */
  async refresh(): Promise<void> {
    await this.#readPublished();
  }

  /** Puts another text in its place. It is saved and checked after a pause in typing. */
  edit(text: string): void {
    if (text !== this.#text.peek()) this.#step(text);
  }

  #step(text: string): void {
    const before = this.#text.peek();
    if (text !== before) this.#undone.value = [...this.#undone.peek().slice(1 - MAX_UNDO), before];
    this.#put(text);
  }

  /** The same for a step that continues the one before, as a letter continues a word: both are taken back at once. */
  refine(text: string): void {
    if (text !== this.#text.peek()) this.#put(text);
  }

  /** Takes the last step back. @returns false where there is none. */
  undo(): boolean {
    const before = this.#undone.peek().at(-1);
    if (before === undefined) return false;
    this.#undone.value = this.#undone.peek().slice(0, -1);
    this.#put(before);
    return true;
  }

  /** Leaves the draft; what is published is what is shown. */
  async discard(): Promise<void> {
    await this.settle();
    if (this.#stored?.etag !== undefined) await this.#api.deleteDraft(this.#stored.etag);
    await this.load();
  }

  /**
   * Publishes the text.
   *
   * @returns the version that it takes the place of, and what is published now; undefined where somebody else was faster.
   * @throws Problem
   */
  async publish(note?: string): Promise<{ before: number; now: BotDetails } | undefined> {
    await this.settle();
    const published = this.#published.peek();
    if (published?.etag === undefined || this.#clash.peek() !== undefined) return undefined;
    const result = await this.#unlessClashing(this.#api.publish(this.#text.peek(), note, published.etag));
    if (result === undefined) return undefined;
    await this.#forgetDraft();
    await this.load();
    return { before: published.answer.version, now: result.answer };
  }

  /** What was published is no draft any more. */
  async #forgetDraft(): Promise<void> {
    const draft = await this.#api.draft();
    if (draft?.etag !== undefined) await this.#api.deleteDraft(draft.etag);
  }

  /** Makes an earlier version the published one. @returns undefined where somebody else was faster. @throws Problem */
  async restore(version: number): Promise<BotDetails | undefined> {
    const published = this.#published.peek();
    if (published?.etag === undefined) return undefined;
    const result = await this.#unlessClashing(this.#api.restore(version, published.etag));
    if (result === undefined) return undefined;
    if (!this.isChanged.peek()) {
      await this.load();
      return result.answer;
    }
    this.#published.value = result;
    this.#baseVersion = result.answer.version;
    this.#put(this.#text.peek());
    return result.answer;
  }

  /** Makes one's own changes in what the other has made of it. @returns places where one's own words took the place of theirs. */
  putMineOnTop(): number {
    const clash = this.#clash.peek();
    if (clash === undefined) return 0;
    const { text, overruled } = putOnTop(clash.base, this.#text.peek(), clash.theirs);
    this.#endClash(clash);
    this.#step(text);
    return overruled;
  }

  /** Leaves one's own changes. They can still be taken back. */
  takeTheirs(): void {
    const clash = this.#clash.peek();
    if (clash === undefined) return;
    this.#endClash(clash);
    this.#step(clash.theirs);
  }

  #endClash({ kind, version }: Clash): void {
    if (kind === "published") this.#baseVersion = version!;
    this.#clash.value = undefined;
  }

  /** Saves what was typed at once, and waits until it is on the server. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#saveState.peek() !== "saved") await this.#save();
    await this.#saving;
  }

  #show(text: string): void {
    this.#text.value = text;
    if (isEditable(text)) this.#sound.value = text;
  }

  #put(text: string): void {
    this.#show(text);
    this.#saveState.value = "unsaved";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#pause(), PAUSE_MS);
  }

  async #pause(): Promise<void> {
    await Promise.all([this.#save(), this.#check()]);
  }

  /** Tries again what could not be saved, as when the server answers again. */
  async retry(): Promise<void> {
    if (this.#saveState.peek() === "failed") await this.#save();
  }

  async #save(): Promise<void> {
    // One after the other: each carries the ETag of the one before.
    await this.#saving;
    if (this.#clash.peek() !== undefined) return;
    this.#saving = this.#saveNow();
    await this.#saving;
    this.#saving = undefined;
  }

  async #saveNow(): Promise<void> {
    const text = this.#text.peek();
    this.#saveState.value = "saving";
    try {
      this.#stored = await this.#keep(text);
      this.#problem.value = undefined;
      this.#saveState.value = this.#text.peek() === text ? "saved" : "unsaved";
    } catch (error) {
      this.#saveState.value = "failed";
      if (isClash(error)) await this.#meetDraft();
      else this.#problem.value = asProblem(error);
    }
  }

  /** A text that is as published needs no draft. */
  async #keep(text: string): Promise<Tagged<BotDraft> | undefined> {
    const etag = this.#stored?.etag;
    if (this.isChanged.peek()) return this.#api.saveDraft(text, this.#baseVersion, etag);
    if (etag !== undefined) await this.#api.deleteDraft(etag);
    return undefined;
  }

  async #meetDraft(): Promise<void> {
    const base = this.#stored?.answer.yaml ?? this.#published.peek()!.answer.yaml;
    const draft = await this.#api.draft();
    this.#stored = draft;
    if (draft === undefined) return this.#meetPublished((await this.#readPublished()).answer);
    const { yaml: theirs, updatedBy: by, updatedAt: at } = draft.answer;
    this.#clash.value = { kind: "draft", by, at, base, theirs };
  }

  /** Somebody published something else since the draft was begun. */
  async #meetPublished({ version, yaml: theirs, publishedBy: by, updatedAt: at }: BotDetails): Promise<void> {
    const base = await this.#api.versionYaml(this.#baseVersion);
    this.#clash.value = { kind: "published", by, at, base, theirs, version };
  }

  async #readPublished(): Promise<Tagged<BotDetails>> {
    return (this.#published.value = await this.#api.details());
  }

  async #unlessClashing<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await asked;
    } catch (error) {
      if (!isClash(error)) throw error;
      await this.#meetPublished((await this.#readPublished()).answer);
      return undefined;
    }
  }

  async #check(): Promise<void> {
    this.#checking?.abort();
    const controller = new AbortController();
    this.#checking = controller;
    try {
      const { mistakes, defaultWelcome } = await this.#api.validate(this.#text.peek(), controller.signal);
      if (controller.signal.aborted) return;
      this.#mistakes.value = mistakes;
      if (defaultWelcome !== undefined) this.#defaultWelcome.value = defaultWelcome;
    } catch (error) {
      if (!controller.signal.aborted) this.#problem.value = asProblem(error);
    }
  }
}

/** Another version than was seen, or one where none was seen. */
function isClash(error: unknown): boolean {
  return error instanceof Problem && (error.status === 412 || error.status === 428);
}
