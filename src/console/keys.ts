import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** A key with its action, and its text in the list of keys. */
interface KeyAction {
  /** For example `j`, `?`, `#`, `Escape`, `Control+Enter`, or two letters in sequence, such as `g o`. */
  readonly key: string;
  readonly says: string;
  /** @returns false if there was nothing to do; the next handler then gets the key. */
  readonly run: () => unknown;
}

/** Label of Control+Enter on this system. */
export const CONTROL_ENTER = /^(Mac|iP)/.test(navigator.platform) ? "⌘ ↵" : "Ctrl ↵";

const STORED = "parley.keys";
/** The second letter of a pair must follow within this time; later it counts alone. */
const PAIR_WITHIN_MS = 1200;

/** The active keys; the latest entry has precedence. */
export const keyActions = signal<readonly (readonly KeyAction[])[]>([]);

/** False: single-letter keys are off (WCAG 2.1.4); Escape and Control+Enter still work. */
export const letterKeys = signal(localStorage.getItem(STORED) !== "off");

/** Turns single-letter keys on or off in this browser, permanently. */
export function setLetterKeys(on: boolean): void {
  letterKeys.value = on;
  localStorage.setItem(STORED, on ? "on" : "off");
}

/** Keys that are active while a component is mounted. */
export function useKeys(actions: readonly KeyAction[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  const names = actions.map(({ key }) => key).join("\n");
  useEffect(() => {
    // The functions change with each rendering; the list changes only when its keys do.
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

/** Starts listening for keys; called once. */
export function startKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    // On Macs, Command+Enter counts as Control+Enter. Other Command keys belong to the browser.
    if (event.metaKey && event.key !== "Enter") return;
    const key = event.ctrlKey || event.metaKey ? `Control+${event.key}` : event.key;
    if (!mayRun(key, event.target as Element)) return;
    if (runKey(key)) event.preventDefault();
  });
}

function mayRun(key: string, target: Element): boolean {
  // While a dialog is open, keys of the page behind it are inactive.
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
