import { type ComponentChildren, h } from "preact";
import { useRef, useState } from "preact/hooks";

import { Button } from "./button.tsx";
import { Notice } from "./states.tsx";

/** A text with a copy button. If the browser does not allow copying, the text is selected and a message says so. */
function Copyable({ what, text }: { what: string; text: string }) {
  const [copied, setCopied] = useState<"yes" | "no">();
  const shown = useRef<HTMLElement>(null);
  const copy = async () => {
    const isCopied = await copyText(text);
    if (!isCopied) getSelection()?.selectAllChildren(shown.current!);
    setCopied(isCopied ? "yes" : "no");
  };
  return (
    <div class="code">
      <div class="code-head">
        <span>{what}</span>
        <span class="end" role="status">
          {copied === "no" &&
            "The browser did not allow copying. The text is selected: copy it with the keyboard."}
        </span>
        <button class="btn btn-quiet" type="button" onClick={() => void copy()}>
          {copied === "yes" ? "Copied" : "Copy"}
        </button>
      </div>
      <pre tabIndex={0} aria-label={what}>
        <code ref={shown}>
          {text.split("\n").map((line, at) => (
            <span key={at} class="ln">
              {line}
            </span>
          ))}
        </code>
      </pre>
    </div>
  );
}

interface ShownOnceProps {
  /** Describes the text, and how long it is valid. */
  children: ComponentChildren;
  /** Each with its name. */
  texts: readonly (readonly [what: string, text: string])[];
  onClose: () => void;
}

/** A new secret. Only its hash is stored, so it cannot be shown again. */
export function ShownOnce({ children, texts, onClose }: ShownOnceProps) {
  return (
    <Notice kind="look" icon="key" title="Copy this now; it is shown only once">
      <p>{children}</p>
      <div class="section gap">
        {texts.map(([what, text]) => (
          <Copyable key={what} what={what} text={text} />
        ))}
      </div>
      <div class="actions">
        <Button onClick={onClose}>I have copied it</Button>
      </div>
    </Notice>
  );
}

/**
 * Copies a text to the clipboard. Over plain HTTP browsers have no `navigator.clipboard`; there the text is selected and copied with
 * `execCommand`.
 *
 * @returns false if the browser does not allow it.
 */
export async function copyText(text: string): Promise<boolean> {
  // The types declare it as always present.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard !== undefined) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // Forbidden, or the page has lost the focus. Copying a selection may still work.
  }
  return copySelected(text);
}

function copySelected(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const field = document.createElement("textarea");
  field.className = "vh";
  // Otherwise several spaces are copied as one.
  field.style.whiteSpace = "pre";
  field.value = text;
  field.readOnly = true;
  // While a dialog is open, only its content can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}
