import { signal } from "@preact/signals";

import { asProblem } from "./api/resource.ts";

/** A line at the bottom that says what was done, and takes it back. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  /** What takes it back, and what its button says. */
  readonly undo?: { readonly says: string; readonly run: () => unknown } | undefined;
  readonly isFault: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const SHOWN_MS = 10_000;
/** What can be taken back may take a while to be seen. */
const UNDO_SHOWN_MS = 2 * 60_000;
let latestId = 0;

export const toasts = signal<readonly Toast[]>([]);

/** Says that something was done. It stays 10 seconds; two minutes where it can be taken back. */
export function say(text: string, undo?: Toast["undo"]): void {
  show({ text, undo, isFault: false });
}

/** Says that something could not be done. */
export function sayFault(text: string): void {
  show({ text, isFault: true });
}

function show(toast: Omit<Toast, "id" | "at">): void {
  latestId += 1;
  toasts.value = [...toasts.value.slice(-2), { ...toast, id: latestId, at: Date.now() }];
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** How long it is shown, in milliseconds; anew once nobody points at it any more. */
export const shownMs = ({ undo }: Toast): number => (undo === undefined ? SHOWN_MS : UNDO_SHOWN_MS);

/** How long the key for undo means it, in milliseconds: after that, it means what was edited since. */
export const KEY_MS = SHOWN_MS;

const isKeyed = ({ undo, at }: Toast) => undo !== undefined && Date.now() - at < KEY_MS;

/** Whether the key for undo would take back what was done last. */
export const mayUndoLast = (): boolean => toasts.value.some(isKeyed);

/** Takes back what was done last. @returns false where there is nothing. */
export function undoLast(): boolean {
  const last = toasts.value.findLast(isKeyed);
  if (last === undefined) return false;
  void takeBackToast(last);
  return true;
}

/** Takes back what a line tells of, or says why it could not be. */
export async function takeBackToast({ id, undo }: Toast): Promise<void> {
  dismiss(id);
  try {
    await undo?.run();
  } catch (error) {
    sayFault(`Not undone: ${asProblem(error).message}`);
  }
}
