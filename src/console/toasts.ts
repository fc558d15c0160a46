import { signal } from "@preact/signals";

/** A line at the bottom that says what was done, and takes it back. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  /** What takes it back, and what its button says. */
  readonly undo?: { readonly says: string; readonly run: () => unknown } | undefined;
  readonly isFault: boolean;
}

const SHOWN_MS = 10_000;
let latestId = 0;

export const toasts = signal<readonly Toast[]>([]);

/** Says that something was done. It stays 10 seconds. */
export function say(text: string, undo?: Toast["undo"]): void {
  show({ text, undo, isFault: false });
}

/** Says that something could not be done. */
export function sayFault(text: string): void {
  show({ text, isFault: true });
}

function show(toast: Omit<Toast, "id">): void {
  latestId += 1;
  const id = latestId;
  toasts.value = [...toasts.value.slice(-2), { ...toast, id }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Takes back what was done last. @returns false where there is nothing. */
export function undoLast(): boolean {
  const last = toasts.value.findLast(({ undo }) => undo !== undefined);
  if (last === undefined) return false;
  dismiss(last.id);
  void last.undo!.run();
  return true;
}
