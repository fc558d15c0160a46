import { h } from "preact";

import { dismiss, toasts } from "../toasts.ts";

/** What was just done, and the way back. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, undo, isFault }) => (
        <div key={id} class={`toast ${isFault ? "fault" : ""}`}>
          <span>{text}</span>
          {undo ? (
            <button
              class="btn"
              type="button"
              onClick={() => {
                dismiss(id);
                void undo.run();
              }}
            >
              {undo.says} <kbd>z</kbd>
            </button>
          ) : (
            <button class="btn" type="button" onClick={() => dismiss(id)}>
              Close
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
