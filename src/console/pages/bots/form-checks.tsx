import { type ComponentChildren, h } from "preact";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Check, Checks } from "../../parts/fields.tsx";
import { Sentence } from "../../parts/text.tsx";
import { setField } from "../../yaml/bot-edits.ts";
import type { Path } from "../../yaml/place.ts";
import { valueAt } from "../../yaml/plain.ts";
import { mistakeAt, pointsAt, useBotValue, whyFormsOff, write } from "./form.tsx";

export interface SwitchFieldProps {
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
    <div {...pointsAt(path)}>
      <Check isOn={isOn} isOff={whyFormsOff(editor) !== undefined} onChange={toggle}>
        {label}
      </Check>
    </div>
  );
}

export interface ChecksFieldProps<Value extends string> {
  editor: BotDraftEditor;
  path: Path;
  label: string;
  options: readonly (readonly [value: Value, says: string])[];
  /** The values that apply if the bot's text has none. */
  otherwise: readonly Value[];
  /** Whether at least one must stay selected. */
  needsOne?: boolean;
  /** If none is chosen, the list goes. */
  noneIsAbsent?: boolean;
  hint?: ComponentChildren;
}

/** A list of selectable values, kept in the order of the options. */
export function ChecksField<Value extends string>(props: ChecksFieldProps<Value>) {
  const { editor, path, label, options, otherwise, needsOne = false, noneIsAbsent = false, hint } = props;
  const value = valueAt(useBotValue(editor), path);
  const chosen: readonly unknown[] = Array.isArray(value) ? value : otherwise;
  const set = (after: readonly Value[]) =>
    write(
      editor,
      setField(editor.sound.peek(), path, noneIsAbsent && after.length === 0 ? undefined : after),
    );
  const mistake = mistakeAt(editor, path)?.message;
  return (
    <fieldset class="wide" {...pointsAt(path)}>
      <legend class="small strong dim">{label}</legend>
      <div class="checks">
        <Checks
          options={options}
          chosen={chosen}
          isOff={whyFormsOff(editor) !== undefined}
          needsOne={needsOne}
          onChange={set}
        />
      </div>
      {(mistake ?? hint) !== undefined && (
        <p class="small faint">{mistake === undefined ? hint : <Sentence text={mistake} />}</p>
      )}
    </fieldset>
  );
}
