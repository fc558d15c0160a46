import { h } from "preact";
import { useRef, useState } from "preact/hooks";

import { bots } from "../bots.ts";
import { CONTROL_ENTER, keyActions, letterKeys, setLetterKeys } from "../keys.ts";
import { PAGES } from "../pages.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Check } from "../parts/fields.tsx";
import { go } from "../router.ts";

/** Safari's key code for the Enter that ends a composition; there `isComposing` is false. */
const COMPOSING = 229;

interface Target {
  says: string;
  kind: string;
  href: string;
}

function targetsFor(typed: string): Target[] {
  const pages = PAGES.map(({ title, path }) => ({
    says: title,
    kind: "page",
    href: path.replace(/\/:.*/, "") || "/",
  }));
  const known = (bots.value ?? []).map(({ id, name }) => ({
    says: name,
    kind: "bot",
    href: `/bots/${encodeURIComponent(id)}`,
  }));
  const wanted = typed.trim().toLowerCase();
  const found = [...pages, ...known].filter(({ says }) => says.toLowerCase().includes(wanted)).slice(0, 9);
  if (wanted === "") return found;
  const search = {
    says: `Search conversations for “${typed.trim()}”`,
    kind: "search",
    href: `/conversations?${new URLSearchParams({ q: typed.trim() })}`,
  };
  return [...found, search];
}

/** Opens a page or bot by part of its name, or searches messages. */
export function GoTo({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const targets = targetsFor(typed);
  const chosen = Math.min(at, targets.length - 1);
  const open = (href: string) => {
    onClose();
    go(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // During a composition these keys choose among the input method's suggestions.
    if (event.isComposing || event.keyCode === COMPOSING) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + targets.length) % targets.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(targets[chosen]!.href);
    }
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label="Page, bot, or text of a message"
        aria-expanded="true"
        aria-controls="go-to-list"
        aria-activedescendant={`go-to-${chosen}`}
        autocomplete="off"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul ref={list} id="go-to-list" class="targets" role="listbox" aria-label="Results">
        {targets.map(({ says, kind, href }, index) => (
          <li
            key={href}
            id={`go-to-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => open(href)}
          >
            <bdi>{says}</bdi>
            <span class="faint small">{kind}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const SHOWN: Readonly<Record<string, string>> = { Escape: "esc", Enter: "↵", "Control+Enter": CONTROL_ENTER };

/** Every key that does something on this page, and the switch that turns letters off. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const actions = new Map(keyActions.value.flat().map((action) => [action.key, action]));
  return (
    <Dialog title="Keys" onClose={onClose} isWide>
      <dl class="keys">
        {Array.from(actions.values(), ({ key, says }) => (
          <div key={key}>
            <dt>{says}</dt>
            <dd>
              {key.split(" ").map((part) => (
                <kbd key={part}>{SHOWN[part] ?? part}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Check isOn={letterKeys.value} onChange={setLetterKeys}>
        Single-letter keys are on, except while you type in a field.
      </Check>
      <div class="actions">
        <span class="end" />
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
