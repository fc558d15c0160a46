import { type ReadonlySignal, computed, signal } from "@preact/signals";

import type { BotDetails, BotDraft, BotMistake } from "../../domain/operator/bots.ts";
import type { Tagged } from "../api/client.ts";
import { Problem } from "../api/problem.ts";
import { asProblem } from "../api/resource.ts";
import { putOnTop } from "../diff/on-top.ts";
import { isEditable } from "../yaml/edit.ts";
import type { BotApi } from "./bot-api.ts";

/** Another operator changed the text that is edited here. */
interface Clash {
  /** `draft`: the shared draft was changed; `published`: the version below the draft was replaced. */
  kind: "draft" | "published";
  by: string;
  at: number;
  /** The common ancestor of both texts. */
  base: string;
  theirs: string;
  /** The new version; only for kind `published`. */
  version?: number;
}

type SaveState = "saved" | "unsaved" | "saving" | "failed";

/** An edit. It can be undone even after later edits. */
export interface Step {
  readonly before: string;
  readonly after: string;
  /** The clash that this edit settled; undoing the edit opens it again. */
  readonly settled?: { readonly clash: Clash; readonly baseVersion: number };
}

/** A new version, with the version that it replaced. */
export interface Published {
  before: number;
  now: BotDetails;
}

/** The draft is saved and checked after a pause of this length in typing. */
const PAUSE_MS = 300;
/** Edits that can be undone. At about 20 kB per text they take a few megabytes at most. */
const MAX_UNDO = 100;
/** Remembered texts whose save got no response, so that the server may have them. */
const MAX_UNANSWERED = 20;

/** The editor of one bot. It saves the draft to the server as it is typed. All pages share one editor per bot. */
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
  /** The draft on the server; undefined if there is none. */
  #stored: Tagged<BotDraft> | undefined;
  /** Sent texts that the server may have, because no response came. */
  #unanswered: readonly string[] = [];
  #baseVersion = 0;
  /** The earlier version whose text was made the draft. */
  #broughtBack: { version: number; yaml: string } | undefined;
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
  /** The text that is edited. */
  readonly text: ReadonlySignal<string> = computed(() => this.#text.value);
  /** The latest text that parses as a bot; forms show and edit this one. */
  readonly sound: ReadonlySignal<string> = computed(() => this.#sound.value);
  readonly isSound = computed(() => this.#sound.value === this.#text.value);
  readonly isChanged = computed(() => this.#text.value !== (this.#published.value?.answer.yaml ?? ""));
  /** Mistakes in the text, from the server's latest check. */
  readonly mistakes: ReadonlySignal<readonly BotMistake[]> = computed(() => this.#mistakes.value);
  /** The default greeting for the latest text that parsed as a bot. Undefined until the server has responded; empty if no text parsed. */
  readonly defaultWelcome: ReadonlySignal<string | undefined> = computed(() => this.#defaultWelcome.value);
  readonly saveState: ReadonlySignal<SaveState> = computed(() => this.#saveState.value);
  readonly clash: ReadonlySignal<Clash | undefined> = computed(() => this.#clash.value);
  /** Why the draft could not be saved. */
  readonly problem: ReadonlySignal<Problem | undefined> = computed(() => this.#problem.value);
  /** A version is being published, or a publication undone, from whichever page. */
  readonly isPublishing: ReadonlySignal<boolean> = computed(() => this.#publications.value > 0);

  /** Reads the bot and its draft. @throws Problem */
  async load(): Promise<void> {
    await this.#inTurn(() => this.#load());
    await this.#checked;
  }

  async #load(): Promise<void> {
    const [published, draft] = await Promise.all([this.#api.details(), this.#api.draft()]);
    // Text typed in the meantime stays. If it conflicts with the draft read here, saving it shows the conflict.
    if (this.#saveState.peek() !== "saved") return this.#meet(published);
    this.#clash.value = undefined;
    this.#stored = draft;
    this.#baseVersion = draft?.answer.baseVersion ?? published.answer.version;
    this.#showAnew(draft?.answer.yaml ?? published.answer.yaml);
    return this.#meet(published);
  }

  /** Reads the published version again, for example after the bot was turned on. The edited text stays. @throws Problem */
  refresh(): Promise<void> {
    return this.#inTurn(async () => this.#meet(await this.#api.details()));
  }

  /** Replaces the text. It is saved and checked after a pause in typing. @returns the edit, to undo it. */
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

  /** Replaces the text as part of the previous edit, as for each letter of a word. Both are undone together. */
  refine(text: string): void {
    const last = this.#steps.at(-1);
    if (last === undefined || last.after !== this.#text.peek()) this.#step(text);
    else if (text !== last.after) {
      this.#steps = [...this.#steps.slice(0, -1), { ...last, after: text }];
      this.#put(text);
    }
  }

  /** Undoes the latest edit. @returns false if there is none, or the same lines were changed since. */
  undo(): boolean {
    const last = this.#steps.at(-1);
    if (last === undefined) return false;
    this.#steps = this.#steps.slice(0, -1);
    return this.takeBack(last);
  }

  /** Undoes one edit and keeps later ones. @returns false, without a change, if the same lines were edited since. */
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
   * Publishes the current text and deletes its draft. Text typed in the meantime becomes the next draft.
   *
   * @param acceptFaults publishes even if the bot has faults. @returns undefined if another operator published first. @throws Problem
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
    const back = this.#broughtBack;
    if (back?.yaml === yaml) {
      const restored = await this.#restore(back.version, acceptFaults);
      return restored && { before: before.answer.version, now: restored };
    }
    const draft = this.#stored?.answer.yaml === yaml ? this.#stored.answer.revision : undefined;
    const facts = { yaml, acceptFaults, ...(draft !== undefined && { draft }) };
    const now = await this.#unlessClashing(this.#api.publish(facts, before.etag!));
    if (now === undefined) return undefined;
    // If another operator has saved a draft in the meantime, the next save reports it.
    if (draft !== undefined) this.#stored = undefined;
    this.#goOnFrom(now, this.#text.peek() !== yaml);
    return { before: before.answer.version, now: now.answer };
  }

  /**
   * Makes the text of an earlier version the draft, so that it is checked like any change. Published unchanged, it is recorded as that
   * version restored.
   *
   * @returns the edit, to undo it. @throws Problem
   */
  async bringBack(version: number): Promise<Step> {
    const yaml = await this.#api.versionYaml(version);
    this.#broughtBack = { version, yaml };
    return this.edit(yaml);
  }

  /**
   * Publishes the version before a publication again. The undone version, with later edits, becomes the draft.
   *
   * @returns undefined if another version was published since. @throws Problem
   */
  takeBackPublication({ before, now }: Published, acceptFaults = false): Promise<BotDetails | undefined> {
    return this.#publishing(async () => {
      if (this.#published.peek()?.answer.version !== now.version) return undefined;
      return this.#restore(before, acceptFaults);
    });
  }

  /** Publishes an earlier version again. The edited text stays; where it differs, it is the next draft. */
  async #restore(version: number, acceptFaults: boolean): Promise<BotDetails | undefined> {
    const etag = this.#published.peek()!.etag!;
    const now = await this.#unlessClashing(this.#api.restore(version, etag, acceptFaults));
    if (now === undefined) return undefined;
    this.#goOnFrom(now, true);
    await this.#save();
    return now.answer;
  }

  /** The version published here becomes the base of the draft. @param isEdited whether the text differs from it. */
  #goOnFrom(now: Tagged<BotDetails>, isEdited: boolean): void {
    this.#published.value = now;
    this.#baseVersion = now.answer.version;
    if (isEdited) this.#put(this.#text.peek());
  }

  /** Applies one's own changes to the newer text. @returns the number of places where one's own text replaced theirs. */
  putMineOnTop(): { overruled: number; step: Step } | undefined {
    const clash = this.#clash.peek();
    if (clash === undefined) return undefined;
    const { text, overruled } = putOnTop(clash.base, this.#text.peek(), clash.theirs);
    return { overruled, step: this.#settle(clash, text) };
  }

  /** Discards one's own changes. This can be undone. */
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

  /** Stops saving, for example after the bot was deleted or another operator signed in. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#checking?.abort();
  }

  /** Saves the text at once. Resolves when the server has it, or when `problem` or `clash` says why not. */
  settle(): Promise<void> {
    return this.#inTurn(() => this.#save());
  }

  #show(text: string): void {
    this.#text.value = text;
    if (isEditable(text)) this.#sound.value = text;
  }

  /** Replaces the text without an undo step. */
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

  /** Saves again after a failure, for example when the server responds again. */
  async retry(): Promise<void> {
    if (this.#saveState.peek() === "failed") await this.settle();
  }

  /** Runs requests one after the other, so that each uses the ETags of the one before, even if that one failed. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#queue.then(work);
    // The caller gets the error from `done`.
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

  /** Never rejects: errors are reported by `problem` and `clash`. */
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

  /** A text equal to the published one needs no draft. */
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

  /** The server has a different draft than expected. It may be one's own, if the response was lost. */
  async #meetDraft(text: string): Promise<void> {
    const base = this.#stored?.answer.yaml ?? this.#published.peek()!.answer.yaml;
    const draft = await this.#api.draft();
    if (draft === undefined) {
      const published = await this.#api.details();
      this.#stored = undefined;
      await this.#meet(published);
      // The published version is the same: the draft was discarded elsewhere, and this text becomes the next draft.
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

  /** Takes the published version, which may be newer than the base of the draft. */
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

/** The server has another version than expected, or one where none was expected. */
function isClash(error: unknown): boolean {
  return error instanceof Problem && (error.status === 412 || error.status === 428);
}

/** The server has responded that nothing was changed. */
function isRefused(error: unknown): boolean {
  return error instanceof Problem && error.status >= 400 && error.status < 500;
}
