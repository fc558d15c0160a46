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

/** A step of editing. It can be taken back also after later ones. */
export interface Step {
  readonly before: string;
  readonly after: string;
  /** What it settled, and is open again once it is taken back. */
  readonly settled?: { readonly clash: Clash; readonly baseVersion: number };
}

/** What was published, and the version that it took the place of. */
export interface Published {
  before: number;
  now: BotDetails;
}

/** Pauses in typing that are longer than this are when a draft is saved and checked. */
const PAUSE_MS = 300;
/** Steps that can be taken back. A text has some 20 kB, so that they are a few megabytes at most. */
const MAX_UNDO = 100;
/** Texts that are remembered where no answer told whether they were saved. */
const MAX_UNANSWERED = 20;

/** A bot while it is edited: its draft, kept on the server as it is typed. One for each bot, whatever page shows it. */
export class BotDraftEditor {
  readonly bot: string;
  readonly #api: BotApi;
  readonly #published = signal<Tagged<BotDetails> | undefined>(undefined);
  readonly #text = signal("");
  readonly #sound = signal("");
  readonly #mistakes = signal<readonly BotMistake[]>([]);
  readonly #defaultWelcome = signal<string | undefined>(undefined);
  readonly #saveState = signal<SaveState>("saved");
  readonly #clash = signal<Clash | undefined>(undefined);
  readonly #problem = signal<Problem | undefined>(undefined);
  readonly #publications = signal(0);
  #steps: readonly Step[] = [];
  /** The draft as the server has it; undefined: it has none. */
  #stored: Tagged<BotDraft> | undefined;
  /** Texts that were sent, and that the server may have, as no answer came. */
  #unanswered: readonly string[] = [];
  #baseVersion = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checking: AbortController | undefined;
  #checked: Promise<void> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;

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
  /** What it greets with where it has no greeting, of the latest text that could be read as a bot. Undefined until the server has answered; empty where there was no such text. */
  readonly defaultWelcome: ReadonlySignal<string | undefined> = computed(() => this.#defaultWelcome.value);
  readonly errors = computed(
    () => this.#mistakes.value.filter(({ severity }) => severity === "error").length,
  );
  readonly saveState: ReadonlySignal<SaveState> = computed(() => this.#saveState.value);
  readonly clash: ReadonlySignal<Clash | undefined> = computed(() => this.#clash.value);
  /** Why it could not be saved. */
  readonly problem: ReadonlySignal<Problem | undefined> = computed(() => this.#problem.value);
  /** A version is on its way to be published, or brought back, whichever page asked for it. */
  readonly isPublishing: ReadonlySignal<boolean> = computed(() => this.#publications.value > 0);

  /** Reads bot and draft. @throws Problem */
  async load(): Promise<void> {
    await this.#inTurn(() => this.#load());
    await this.#checked;
  }

  async #load(): Promise<void> {
    const [published, draft] = await Promise.all([this.#api.details(), this.#api.draft()]);
    // What was typed meanwhile stays. Where it clashes with the draft that is read here, saving it says so.
    if (this.#saveState.peek() !== "saved") return this.#meet(published);
    this.#clash.value = undefined;
    this.#stored = draft;
    this.#baseVersion = draft?.answer.baseVersion ?? published.answer.version;
    this.#showAnew(draft?.answer.yaml ?? published.answer.yaml);
    return this.#meet(published);
  }

  /** Reads again what is published, as after it was switched on; what is edited stays. @throws Problem */
  refresh(): Promise<void> {
    return this.#inTurn(async () => this.#meet(await this.#api.details()));
  }

  /** Puts another text in its place. It is saved and checked after a pause in typing. @returns what takes it back. */
  edit(text: string): Step {
    return this.#step(text);
  }

  #step(after: string, settled?: Step["settled"]): Step {
    const step = { before: this.#text.peek(), after, ...(settled && { settled }) };
    if (after === step.before && settled === undefined) return step;
    this.#steps = [...this.#steps.slice(1 - MAX_UNDO), step];
    this.#put(after);
    return step;
  }

  /** The same for a step that continues the one before, as a letter continues a word: both are taken back at once. */
  refine(text: string): void {
    const last = this.#steps.at(-1);
    if (last === undefined || last.after !== this.#text.peek()) this.#step(text);
    else if (text !== last.after) {
      this.#steps = [...this.#steps.slice(0, -1), { ...last, after: text }];
      this.#put(text);
    }
  }

  /** Takes the last step back. @returns false where there is none, or its place was edited otherwise since. */
  undo(): boolean {
    const last = this.#steps.at(-1);
    if (last === undefined) return false;
    this.#steps = this.#steps.slice(0, -1);
    return this.takeBack(last);
  }

  /** Takes a step back and leaves later ones. @returns false where the same lines were edited since: nothing is changed then. */
  takeBack(step: Step): boolean {
    const { text, overruled } = putOnTop(step.after, step.before, this.#text.peek());
    if (overruled > 0) return false;
    this.#steps = this.#steps.filter((each) => each !== step);
    if (step.settled !== undefined && this.#clash.peek() === undefined) {
      this.#baseVersion = step.settled.baseVersion;
      this.#clash.value = step.settled.clash;
    }
    this.#put(text);
    return true;
  }

  /**
   * Publishes the text as it is now, and drops the draft of it. What is typed meanwhile becomes the next draft.
   *
   * @param acceptFaults whether also where the bot has faults.
   * @returns undefined where somebody else was faster.
   * @throws Problem
   */
  publish(acceptFaults = false): Promise<Published | undefined> {
    const yaml = this.#text.peek();
    return this.#publishing(() => this.#publish(yaml, acceptFaults));
  }

  async #publish(yaml: string, acceptFaults: boolean): Promise<Published | undefined> {
    await this.#save();
    const before = this.#published.peek()!;
    if (this.#clash.peek() !== undefined) return undefined;
    if (this.#saveState.peek() === "failed") throw this.#problem.peek()!;
    const draft = this.#stored?.answer.yaml === yaml ? this.#stored.answer.revision : undefined;
    const facts = { yaml, acceptFaults, ...(draft !== undefined && { draft }) };
    const now = await this.#unlessClashing(this.#api.publish(facts, before.etag!));
    if (now === undefined) return undefined;
    // Where somebody saved another draft meanwhile, saving the next one says so.
    if (draft !== undefined) this.#stored = undefined;
    this.#goOnFrom(now, this.#text.peek() !== yaml);
    return { before: before.answer.version, now: now.answer };
  }

  /** Makes an earlier version the published one. What is edited stays. @returns undefined where somebody else was faster. @throws Problem */
  restore(version: number, acceptFaults = false): Promise<BotDetails | undefined> {
    return this.#publishing(() => this.#restore(version, { isKept: this.isChanged.peek(), acceptFaults }));
  }

  /**
   * Makes the version before a publication the published one again. What was published is a draft again, with what was edited since.
   *
   * @returns undefined where another version was published since.
   * @throws Problem
   */
  takeBackPublication({ before, now }: Published, acceptFaults = false): Promise<BotDetails | undefined> {
    return this.#publishing(async () => {
      if (this.#published.peek()?.answer.version !== now.version) return undefined;
      const restored = await this.#restore(before, { isKept: true, acceptFaults });
      if (restored !== undefined) await this.#save();
      return restored;
    });
  }

  async #restore(
    version: number,
    { isKept, acceptFaults }: { isKept: boolean; acceptFaults: boolean },
  ): Promise<BotDetails | undefined> {
    const text = this.#text.peek();
    const etag = this.#published.peek()!.etag!;
    const now = await this.#unlessClashing(this.#api.restore(version, etag, acceptFaults));
    if (now === undefined) return undefined;
    const isTyped = this.#text.peek() !== text;
    if (!isKept && !isTyped) this.#showAnew(now.answer.yaml);
    this.#goOnFrom(now, isKept || isTyped);
    return now.answer;
  }

  /** A version that was published here is what is edited from now on. @param isEdited whether the text is another one. */
  #goOnFrom(now: Tagged<BotDetails>, isEdited: boolean): void {
    this.#published.value = now;
    this.#baseVersion = now.answer.version;
    if (isEdited) this.#put(this.#text.peek());
  }

  /** Makes one's own changes in what the other has made of it. @returns places where one's own words took the place of theirs. */
  putMineOnTop(): { overruled: number; step: Step } | undefined {
    const clash = this.#clash.peek();
    if (clash === undefined) return undefined;
    const { text, overruled } = putOnTop(clash.base, this.#text.peek(), clash.theirs);
    return { overruled, step: this.#settle(clash, text) };
  }

  /** Leaves one's own changes. They can still be taken back. */
  takeTheirs(): void {
    const clash = this.#clash.peek();
    if (clash !== undefined) this.#settle(clash, clash.theirs);
  }

  #settle(clash: Clash, text: string): Step {
    const settled = { clash, baseVersion: this.#baseVersion };
    if (clash.kind === "published") this.#baseVersion = clash.version!;
    this.#clash.value = undefined;
    return this.#step(text, settled);
  }

  /** Ends it: nothing is saved from now on, as after its bot was deleted, or somebody else has signed in. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#checking?.abort();
  }

  /** Saves what was typed at once, and waits until it is on the server, or `problem` or `clash` says why it is not. */
  settle(): Promise<void> {
    return this.#inTurn(() => this.#save());
  }

  #show(text: string): void {
    this.#text.value = text;
    if (isEditable(text)) this.#sound.value = text;
  }

  /** A text that takes the place of what was edited: there is no step back from it. */
  #showAnew(text: string): void {
    this.#show(text);
    this.#steps = [];
    this.#checked = this.#check();
  }

  #put(text: string): void {
    this.#show(text);
    this.#saveState.value = "unsaved";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void Promise.all([this.settle(), this.#check()]), PAUSE_MS);
  }

  /** Tries again what could not be saved, as when the server answers again. */
  async retry(): Promise<void> {
    if (this.#saveState.peek() === "failed") await this.settle();
  }

  /** Does one thing after the other, each with the ETags of the one before, whatever became of that. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#queue.then(work);
    // Whoever asked for it is told by `done`.
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #publishing<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#publications.value++;
    try {
      return await this.#inTurn(work);
    } finally {
      this.#publications.value--;
    }
  }

  /** Never rejects: what is wrong is said by `problem` and `clash`. */
  async #save(): Promise<void> {
    if (this.#isClosed || this.#saveState.peek() === "saved" || this.#clash.peek() !== undefined) return;
    clearTimeout(this.#timer);
    const text = this.#text.peek();
    this.#saveState.value = "saving";
    try {
      this.#stored = await this.#keep(text);
      this.#endSave(text);
    } catch (error) {
      this.#saveState.value = "failed";
      await this.#meetFailure(error, text);
    }
  }

  #endSave(text: string): void {
    this.#unanswered = [];
    this.#problem.value = undefined;
    this.#saveState.value = this.#text.peek() === text ? "saved" : "unsaved";
  }

  /** A text that is as published needs no draft. */
  async #keep(text: string): Promise<Tagged<BotDraft> | undefined> {
    const etag = this.#stored?.etag;
    if (text !== this.#published.peek()!.answer.yaml)
      return this.#api.saveDraft(text, this.#baseVersion, etag);
    if (etag !== undefined) await this.#api.deleteDraft(etag);
    return undefined;
  }

  async #meetFailure(error: unknown, text: string): Promise<void> {
    if (!isRefused(error)) this.#unanswered = [...this.#unanswered, text].slice(-MAX_UNANSWERED);
    try {
      if (!isClash(error)) throw error;
      await this.#meetDraft(text);
    } catch (failure) {
      this.#problem.value = asProblem(failure);
    }
  }

  /** The draft is another one than was seen. It may be one's own, of which no answer came. */
  async #meetDraft(text: string): Promise<void> {
    const base = this.#stored?.answer.yaml ?? this.#published.peek()!.answer.yaml;
    const draft = await this.#api.draft();
    if (draft === undefined) {
      const published = await this.#api.details();
      this.#stored = undefined;
      await this.#meet(published);
      // Nobody published anything else: the draft was discarded, and this is the next one.
      return this.#clash.peek() === undefined ? this.#saveAgain() : undefined;
    }
    this.#stored = draft;
    const { yaml: theirs, updatedBy: by, updatedAt: at } = draft.answer;
    if (theirs === text) this.#endSave(text);
    else if (this.#unanswered.includes(theirs)) await this.#saveAgain();
    else this.#clash.value = { kind: "draft", by, at, base, theirs };
  }

  #saveAgain(): Promise<void> {
    this.#saveState.value = "unsaved";
    return this.#save();
  }

  /** What is published, which may be another version than the one that is edited. */
  async #meet(published: Tagged<BotDetails>): Promise<void> {
    const { version, yaml: theirs, publishedBy: by, updatedAt: at } = published.answer;
    const isOther = version !== this.#baseVersion;
    const base = isOther ? await this.#api.versionYaml(this.#baseVersion) : "";
    const mine = this.#text.peek();
    this.#published.value = published;
    if (!isOther) return;
    if (mine !== base && mine !== theirs) {
      this.#clash.value = { kind: "published", by, at, base, theirs, version };
      return;
    }
    this.#baseVersion = version;
    if (mine !== theirs) this.#showAnew(theirs);
  }

  async #unlessClashing(asked: Promise<Tagged<BotDetails>>): Promise<Tagged<BotDetails> | undefined> {
    try {
      return await asked;
    } catch (error) {
      if (!isClash(error)) throw error;
      await this.#meet(await this.#api.details());
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
      this.#defaultWelcome.value = defaultWelcome ?? this.#defaultWelcome.peek() ?? "";
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#problem.value = asProblem(error);
      this.#defaultWelcome.value ??= "";
    }
  }
}

/** Another version than was seen, or one where none was seen. */
function isClash(error: unknown): boolean {
  return error instanceof Problem && (error.status === 412 || error.status === 428);
}

/** The server has answered that nothing was changed. */
function isRefused(error: unknown): boolean {
  return error instanceof Problem && error.status >= 400 && error.status < 500;
}
