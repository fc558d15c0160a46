import { signal } from "@preact/signals";

import { asProblem } from "./api/resource.ts";

/** How the action of a message is undone. */
export interface Undo {
  /** The label of its button. */
  readonly says: string;
  readonly run: () => unknown;
  /** The id of the bot that was changed: when it is deleted, the message goes. */
  readonly bot?: string;
  /** What was changed of it: the message about the next such change replaces this one, which could no longer be undone. */
  readonly what?: "version" | "enabled";
}

/** A message about what was done, with its undo. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: Undo | undefined;
  readonly isFault: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const SHOWN_MS = 10_000;
/** A message with an undo button stays longer, because the effect may take a while to be noticed. */
const UNDO_SHOWN_MS = 2 * 60_000;
let latestId = 0;

export const toasts = signal<readonly Toast[]>([]);

/** Shows a message for 10 seconds, or two minutes if it has an undo button. */
export function say(text: string, undo?: Toast["undo"]): void {
  show({ text, undo, isFault: false });
}

/** Makes a change. If that fails, a message shows why. @param fault begins the message, as `Not sent`. @returns whether it was made. */
export async function attempt(fault: string, change: () => unknown): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    sayFault(`${fault}: ${asProblem(error).message}`);
    return false;
  }
}

/** Shows that something failed. */
export function sayFault(text: string): void {
  show({ text, isFault: true });
}

function show(toast: Omit<Toast, "id" | "at">): void {
  latestId += 1;
  const { bot, what } = toast.undo ?? {};
  const others = toasts.value.filter(
    ({ undo }) => what === undefined || undo?.what !== what || undo.bot !== bot,
  );
  toasts.value = [...others.slice(-2), { ...toast, id: latestId, at: Date.now() }];
}

/** Removes the messages whose undo would change a bot that is gone. */
export function dismissAbout(bot: string): void {
  toasts.value = toasts.value.filter(({ undo }) => undo?.bot !== bot);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** How long it is shown, in milliseconds; the time begins again when the pointer or focus leaves it. */
export const shownMs = ({ undo }: Toast): number => (undo === undefined ? SHOWN_MS : UNDO_SHOWN_MS);

/** For this time after a message the undo key applies to it; later the key undoes the latest edit. In milliseconds. */
export const KEY_MS = SHOWN_MS;

const isKeyed = ({ undo, at }: Toast) => undo !== undefined && Date.now() - at < KEY_MS;

/** Whether the undo key applies to a message. */
export const mayUndoLast = (): boolean => toasts.value.some(isKeyed);

/** Undoes the latest action with an undo button. @returns false if there is none. */
export function undoLast(): boolean {
  const last = toasts.value.findLast(isKeyed);
  if (last === undefined) return false;
  void takeBackToast(last);
  return true;
}

/** Undoes the action of a message, or shows why it cannot be undone. */
export async function takeBackToast({ id, undo }: Toast): Promise<void> {
  dismiss(id);
  await attempt("Not undone", () => undo?.run());
}
