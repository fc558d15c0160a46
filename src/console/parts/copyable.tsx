import { h } from "preact";
import { useState } from "preact/hooks";

/** Text to be taken elsewhere, with the button that does it. */
export function Copyable({ what, text }: { what: string; text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <div class="code">
      <div class="code-head">
        <span>{what}</span>
        <button class="btn btn-quiet end" type="button" onClick={() => void copy()}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      </div>
      <pre tabIndex={0} aria-label={what}>
        <code>
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
