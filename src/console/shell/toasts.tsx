import { h } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Sentence } from "../parts/text.tsx";
import { dismiss, KEY_MS, shownMs, takeBackToast, type Toast, toasts } from "../toasts.ts";

/** Messages about what was just done, with an undo button. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

/** Disappears after some time, but not while it is hovered or focused. */
function ToastLine({ toast }: { toast: Toast }) {
  const { id, text, undo, isFault } = toast;
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const [isKeyed, setIsKeyed] = useState(true);
  useEffect(() => {
    if (isPointedAt || isFocused) return undefined;
    const timer = setTimeout(() => dismiss(id), shownMs(toast));
    return () => clearTimeout(timer);
  }, [isPointedAt, isFocused]);
  useEffect(() => {
    const timer = setTimeout(() => setIsKeyed(false), KEY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      class={`toast ${isFault ? "fault" : ""}`}
      onMouseEnter={() => setIsPointedAt(true)}
      onMouseLeave={() => setIsPointedAt(false)}
      onFocusCapture={() => setIsFocused(true)}
      onBlurCapture={() => setIsFocused(false)}
    >
      <Sentence text={text} />
      <span class="actions end">
        {undo && (
          <button class="btn" type="button" onClick={() => void takeBackToast(toast)}>
            {undo.says} {isKeyed && <kbd>z</kbd>}
          </button>
        )}
        <button class="btn" type="button" onClick={() => dismiss(id)}>
          Close
        </button>
      </span>
    </div>
  );
}
