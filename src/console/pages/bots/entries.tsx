import { h } from "preact";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Button } from "../../parts/button.tsx";
import { editBot } from "../../yaml/bot-edits.ts";
import type { Path } from "../../yaml/place.ts";
import { Fields, type FieldSpec } from "./fields.tsx";
import { pointsAt, whyFormsOff, write } from "./form.tsx";

interface EntriesProps {
  editor: BotDraftEditor;
  path: Path;
  items: readonly unknown[];
  /** Name of an entry. */
  one: string;
  /** First value of a new entry. */
  fresh: () => unknown;
  /** Entries at most. */
  most: number;
  /** Entries at least: none is removed below that. */
  least?: number;
  /** The first that fits counts, so that they can be moved. */
  isOrdered?: boolean;
  fields: (path: Path) => readonly FieldSpec[];
}

/** A list whose entries have fields of their own. */
export function Entries(props: EntriesProps) {
  const { editor, path, items, one, fresh, most, least = 0, isOrdered = false, fields } = props;
  const isOff = whyFormsOff(editor) !== undefined;
  const edit = (...edits: Parameters<typeof editBot>[1][]) =>
    write(editor, editBot(editor.sound.peek(), ...edits));
  const remove = (at: number) => edit({ kind: "remove", path: items.length === 1 ? path : [...path, at] });
  const moveUp = (at: number) =>
    edit(
      { kind: "set", path: [...path, at - 1], value: items[at] },
      { kind: "set", path: [...path, at], value: items[at - 1] },
    );
  return (
    <div class="entries">
      {items.map((_, at) => (
        <fieldset key={`${at}-${items.length}`} class="entry" {...pointsAt([...path, at])}>
          <legend class="vh">
            {one} {at + 1}
          </legend>
          <Fields editor={editor} fields={fields([...path, at])} />
          <div class="entry-does">
            {isOrdered && at > 0 && (
              <Button kind="quiet" disabled={isOff} onClick={() => moveUp(at)}>
                Move up
              </Button>
            )}
            <Button kind="quiet" disabled={isOff || items.length <= least} onClick={() => remove(at)}>
              Remove
              <span class="vh">
                {" "}
                {one} {at + 1}
              </span>
            </Button>
          </div>
        </fieldset>
      ))}
      <div class="actions">
        <Button
          disabled={isOff || items.length >= most}
          onClick={() => edit({ kind: "append", path, values: [fresh()] })}
        >
          Another {one}
        </Button>
      </div>
    </div>
  );
}
