import { type ComponentChildren, h } from "preact";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Sentence } from "../../parts/text.tsx";
import { setField } from "../../yaml/bot-edits.ts";
import type { Path } from "../../yaml/place.ts";
import { valueAt } from "../../yaml/plain.ts";
import { mistakeAt, pointsAt, useBotValue, whyFormsOff, write } from "./form.tsx";

interface SwitchFieldProps {
  editor: BotDraftEditor;
  path: Path;
  label: string;
  /** The value that is set when the switch is turned on. Turning it off removes the field. */
  on: unknown;
}

/** Whether the value at a place turns something on. */
export const isSwitchedOn = (value: unknown): boolean => value !== undefined && value !== false;

/** A field of the bot's text that is present or absent. */
export function SwitchField({ editor, path, label, on }: SwitchFieldProps) {
  const isOn = isSwitchedOn(valueAt(useBotValue(editor), path));
  const toggle = () => write(editor, setField(editor.sound.peek(), path, isOn ? undefined : on));
  return (
    <label class="check" {...pointsAt(path)}>
      <input type="checkbox" checked={isOn} disabled={whyFormsOff(editor) !== undefined} onChange={toggle} />
      {label}
    </label>
  );
}

interface ChecksFieldProps<Value extends string> {
  editor: BotDraftEditor;
  path: Path;
  label: string;
  options: readonly (readonly [value: Value, says: string])[];
  /** The values that apply if the bot's text has none. */
  otherwise: readonly Value[];
  /** Whether at least one must stay selected. */
  needsOne?: boolean;
  /** Where none is chosen, the list goes. */
  noneIsAbsent?: boolean;
  hint?: ComponentChildren;
}

/** A list of selectable values, kept in the order of the options. */
export function ChecksField<Value extends string>(props: ChecksFieldProps<Value>) {
  const { editor, path, label, options, otherwise, needsOne = false, noneIsAbsent = false, hint } = props;
  const value = valueAt(useBotValue(editor), path);
  const chosen: readonly unknown[] = Array.isArray(value) ? value : otherwise;
  const isOff = whyFormsOff(editor) !== undefined;
  const toggle = (which: Value) => {
    const isAfter = (each: Value) => chosen.includes(each) !== (each === which);
    const after = options.map(([each]) => each).filter(isAfter);
    const isAbsent = noneIsAbsent && after.length === 0;
    write(editor, setField(editor.sound.peek(), path, isAbsent ? undefined : after));
  };
  const mistake = mistakeAt(editor, path)?.message;
  return (
    <fieldset class="wide" {...pointsAt(path)}>
      <legend class="small strong dim">{label}</legend>
      <div class="checks">
        {options.map(([each, says]) => (
          <label key={each} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(each)}
              disabled={isOff || (needsOne && chosen.length === 1 && chosen.includes(each))}
              onChange={() => toggle(each)}
            />
            {says}
          </label>
        ))}
      </div>
      {(mistake ?? hint) !== undefined && (
        <p class="small faint">{mistake === undefined ? hint : <Sentence text={mistake} />}</p>
      )}
    </fieldset>
  );
}
