import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** What a key does, and what the list of keys says of it. */
export interface KeyAction {
  /** As `j`, `?`, `#`, `Escape`, `Control+Enter`, or two letters one after the other, as `g o`. */
  readonly key: string;
  readonly says: string;
  /** @returns false where there was nothing to do, so that the key goes on to whoever comes next. */
  readonly run: () => unknown;
}

/** What Control with Enter is called where somebody sits. */
export const CONTROL_ENTER = /^(Mac|iP)/.test(navigator.platform) ? "⌘ ↵" : "Ctrl ↵";

const STORED = "parley.keys";
/** The second letter of a pair comes within this time, or it stands for itself. */
const PAIR_WITHIN_MS = 1200;

/** What is in force, the latest last; it counts first. */
export const keyActions = signal<readonly (readonly KeyAction[])[]>([]);

/** False: letters do nothing (WCAG 2.1.4); Escape and Control with Enter still do. */
export const letterKeys = signal(localStorage.getItem(STORED) !== "off");

/** Turns letters on or off in this browser, for good. */
export function setLetterKeys(on: boolean): void {
  letterKeys.value = on;
  localStorage.setItem(STORED, on ? "on" : "off");
}

/** Keys that count while a component is there. */
export function useKeys(actions: readonly KeyAction[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  const names = actions.map(({ key }) => key).join("\n");
  useEffect(() => {
    // The functions change with each drawing; the list of what is in force only when its keys do.
    const own = latest.current.map(({ key, says }, at) => ({
      key,
      says,
      run: () => latest.current[at]!.run(),
    }));
    keyActions.value = [...keyActions.value, own];
    return () => {
      keyActions.value = keyActions.value.filter((other) => other !== own);
    };
  }, [names]);
}

const TYPED_INTO = "input:not([type=checkbox]), textarea, select, [contenteditable=true], .cm-editor";

let firstOfPair: { key: string; at: number } | undefined;

/** Listens for keys; called once. */
export function startKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    // On Macs, Command with Enter is what Control with Enter is elsewhere; its other pairs are the browser's.
    if (event.metaKey && event.key !== "Enter") return;
    const key = event.ctrlKey || event.metaKey ? `Control+${event.key}` : event.key;
    if (!mayRun(key, event.target as Element)) return;
    if (runKey(key)) event.preventDefault();
  });
}

function mayRun(key: string, target: Element): boolean {
  // What is behind a dialog waits until it is closed.
  if (document.querySelector("dialog[open]") !== null) return false;
  if (key === "Escape" || key.startsWith("Control+")) return true;
  if (key.length === 1 && !letterKeys.value) return false;
  return target.closest?.(TYPED_INTO) === null;
}

function runKey(key: string): boolean {
  const before = firstOfPair;
  firstOfPair = undefined;
  const actions = keyActions.value.toReversed().flat();
  if (before !== undefined && performance.now() - before.at < PAIR_WITHIN_MS) {
    if (runFirst(actions, `${before.key} ${key}`)) return true;
  }
  if (actions.some((action) => action.key.startsWith(`${key} `))) {
    firstOfPair = { key, at: performance.now() };
    return true;
  }
  return runFirst(actions, key);
}

function runFirst(actions: readonly KeyAction[], key: string): boolean {
  return actions.some((action) => action.key === key && action.run() !== false);
}
