import { h } from "preact";
import { useState } from "preact/hooks";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Button } from "../../parts/button.tsx";
import { say } from "../../toasts.ts";
import { editBot } from "../../yaml/bot-edits.ts";
import { TextField, whyFormsOff, write } from "./form.tsx";

interface TextListProps {
  editor: BotDraftEditor;
  path: (string | number)[];
  title: string;
  /** Name of an entry, used in labels. */
  one: string;
  items: readonly string[];
  rows?: number;
  hint: string;
  onAdd?: (text: string) => string | undefined;
}

/** A list of texts. Each is edited in place; the empty one at the end adds an entry. */
export function TextList({ editor, path, title, one, items, rows, hint, onAdd }: TextListProps) {
  const [added, setAdded] = useState("");
  const isOff = whyFormsOff(editor) !== undefined;
  const another = items.length > 0 ? `Another ${one}` : `${/^[aeiou]/.test(one) ? "An" : "A"} ${one}`;
  const id = `h-${one.replace(" ", "-")}`;
  const add = (event: Event) => {
    event.preventDefault();
    if (added.trim() === "") return;
    if (items.includes(added.trim())) return say(`This ${one} is in the list already.`);
    const append = (text: string) => editBot(editor.sound.peek(), { kind: "append", path, values: [text] });
    write(editor, (onAdd ?? append)(added.trim()));
    setAdded("");
  };
  const remove = (at: number) => {
    const place = items.length === 1 ? path : [...path, at];
    write(editor, editBot(editor.sound.peek(), { kind: "remove", path: place }));
  };
  return (
    <section class="section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <span class="end faint">{hint}</span>
      </header>
      <ol class="text-list">
        {items.map((item, at) => (
          <li key={`${at}-${items.length}`}>
            <TextField
              editor={editor}
              path={[...path, at]}
              label={`${one} ${at + 1}`}
              onEmptied={() => remove(at)}
              {...(rows !== undefined && { rows })}
            />
            <Button kind="quiet" disabled={isOff} onClick={() => remove(at)}>
              Remove<span class="vh"> {item}</span>
            </Button>
          </li>
        ))}
      </ol>
      <form class="actions add" onSubmit={add}>
        <input
          class="input"
          aria-label={another}
          placeholder={another}
          value={added}
          readOnly={isOff}
          onInput={(event) => setAdded(event.currentTarget.value)}
        />
        <Button type="submit" disabled={isOff || added.trim() === ""}>
          Add
        </Button>
      </form>
    </section>
  );
}
