import { signal } from "@preact/signals";
import { type ComponentChildren, h } from "preact";
import { useMemo, useRef } from "preact/hooks";

import type { BotMistake } from "../../../domain/operator/bots.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { whyOff } from "../../parts/button.tsx";
import { Field } from "../../parts/fields.tsx";
import { Sentence } from "../../parts/text.tsx";
import { sayFault } from "../../toasts.ts";
import { setField } from "../../yaml/bot-edits.ts";
import { isWithin, type Path, shownValue } from "../../yaml/place.ts";
import { isSame, valueAt } from "../../yaml/plain.ts";
import { entriesAt, newAction } from "./settings.ts";

/** The path of the field under the cursor; the YAML beside the form shades its lines. */
export const pointedAt = signal<Path | undefined>(undefined);

/** Event handlers that report a row's path while it is hovered or focused. */
export function pointsAt(path: Path) {
  const point = () => {
    pointedAt.value = path;
  };
  return { onMouseEnter: point, onFocusCapture: point };
}

/** The value of the latest text that parses. */
export function useBotValue(editor: BotDraftEditor): unknown {
  return shownValue(editor.sound.value);
}

/** Takes the text that an edit made. If it is undefined, a message says why. */
export function write(editor: BotDraftEditor, text: string | undefined, isFirst = true): void {
  if (text === undefined) sayFault("This value comes from a YAML alias. Edit it in the YAML.");
  else if (isFirst) editor.edit(text);
  else editor.refine(text);
}

/** Why forms are off: the role, the connection or an error in the YAML; undefined if they are on. */
export function whyFormsOff(editor: BotDraftEditor): string | undefined {
  if (!editor.isSound.value) return "The YAML has an error. This shows the last correct draft.";
  return whyOff("bots.write");
}

/** The mistakes to show. Those of an action that nobody has changed since it was begun wait: it cannot be complete yet. */
export function shownMistakes(editor: BotDraftEditor): BotMistake[] {
  const begun = newAction(editor.published.value!.endpoints);
  const actions = entriesAt(useBotValue(editor), ["intents"]).flatMap((intent, at) =>
    isSame(valueAt(intent, ["action"]), begun) ? [["intents", at, "action"]] : [],
  );
  return editor.mistakes.value.filter((mistake) => !actions.some((path) => isOf(editor, path, mistake)));
}

/** The first mistake at a path. */
export function mistakeAt(editor: BotDraftEditor, path: Path): BotMistake | undefined {
  return shownMistakes(editor).find((mistake) => isOf(editor, path, mistake));
}

function isOf(editor: BotDraftEditor, path: Path, { line, column }: BotMistake): boolean {
  return (
    line !== undefined &&
    isWithin(editor.sound.value, path, { line, ...(column !== undefined && { column }) })
  );
}

type Parse = (typed: string) => { value: unknown } | { fault: string };

interface TextFieldProps {
  editor: BotDraftEditor;
  path: Path;
  label: string;
  hint?: ComponentChildren;
  rows?: number;
  type?: "text" | "number";
  isWide?: boolean;
  placeholder?: string;
  /** Turns the typed text into a value; absent: the text is the value. */
  parse?: Parse;
  /** Called when the field is left empty, for fields that an empty value removes, such as list entries. */
  onEmptied?: () => void;
  /** Turns a value into the text of the field. */
  format?: (value: unknown) => string;
}

const asText = (value: unknown) =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
const plainText: Parse = (typed) => ({ value: typed });

/** Parses whole numbers, with or without thousands separators. Empty: no value. */
export const wholeNumber: Parse = (typed) => {
  const digits = typed.replaceAll(/[\s,_]/g, "");
  if (digits === "") return { value: undefined };
  return /^\d+$/.test(digits) ? { value: Number(digits) } : { fault: "Enter a whole number." };
};

/** Splits at commas. */
export const commaSeparated: Parse = (typed) => ({
  value: typed
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean),
});

/** A text field for one value of the bot. The text is updated with each key; one visit to the field is one undo step. */
export function TextField(props: TextFieldProps) {
  const {
    editor,
    path,
    label,
    rows,
    isWide = false,
    placeholder,
    parse = plainText,
    format = asText,
  } = props;
  const isFirst = useRef(true);
  const typed = useRef<{ text: string; fault: string | undefined }>(undefined);
  const value = valueAt(useBotValue(editor), path);
  const shown = typed.current?.text ?? format(value);
  const redraw = useMemo(() => signal(0), []);
  void redraw.value;
  const off = whyFormsOff(editor);
  const onInput = ({ currentTarget: { value: text } }: { currentTarget: { value: string } }) => {
    const parsed = parse(text);
    typed.current = { text, fault: "fault" in parsed ? parsed.fault : undefined };
    redraw.value++;
    if ("fault" in parsed || (props.onEmptied && text.trim() === "")) return;
    write(editor, setField(editor.sound.peek(), path, parsed.value), isFirst.current);
    isFirst.current = false;
  };
  const onBlur = () => {
    isFirst.current = true;
    const isEmptied = props.onEmptied !== undefined && typed.current?.text.trim() === "";
    if (typed.current?.fault === undefined) typed.current = undefined;
    redraw.value++;
    if (isEmptied) props.onEmptied!();
  };
  const mistake = mistakeAt(editor, path);
  const said = mistake && <Sentence text={mistake.message} />;
  const fault = typed.current?.fault ?? (mistake?.severity === "error" ? said : undefined);
  return (
    <div class={isWide ? "wide" : undefined} {...pointsAt(path)}>
      <Field label={label} fault={fault} hint={said ?? props.hint}>
        {({ id, describedBy }) => {
          const common = {
            id,
            value: shown,
            placeholder,
            readOnly: off !== undefined,
            title: off,
            "aria-describedby": describedBy,
            "aria-invalid": fault !== undefined,
            onInput,
            onBlur,
          };
          return rows === undefined ? (
            <input
              {...common}
              class={`input ${props.type === "number" ? "tn" : ""}`}
              inputMode={props.type === "number" ? "numeric" : undefined}
            />
          ) : (
            <textarea {...common} class="textarea" rows={rows} />
          );
        }}
      </Field>
    </div>
  );
}

interface ChoiceFieldProps {
  editor: BotDraftEditor;
  path: Path;
  label: string;
  /** The value "" removes the field, so that the default applies. */
  options: readonly (readonly [value: string, says: string])[];
  hint?: ComponentChildren;
  /** The value of an option, if it is not the option's own text. */
  meaning?: (option: string) => unknown;
  /** The text once an option is chosen, where more than this field changes with it. */
  edit?: (text: string, option: string) => string | undefined;
}

export function ChoiceField(props: ChoiceFieldProps) {
  const { editor, path, label, options, hint, meaning = String } = props;
  const edit = props.edit ?? ((text, option) => setField(text, path, meaning(option)));
  const value = asText(valueAt(useBotValue(editor), path));
  const isKnown = options.some(([each]) => each === value);
  const mistake = mistakeAt(editor, path);
  const said = mistake === undefined ? hint : <Sentence text={mistake.message} />;
  const isFault = mistake?.severity === "error";
  return (
    <div {...pointsAt(path)}>
      <Field label={label} {...(isFault ? { fault: said } : { hint: said })}>
        {({ id, describedBy }) => (
          <select
            id={id}
            class="select field-select"
            value={value}
            disabled={whyFormsOff(editor) !== undefined}
            aria-describedby={describedBy}
            aria-invalid={isFault}
            onChange={(event) => write(editor, edit(editor.sound.peek(), event.currentTarget.value))}
          >
            {!isKnown && <option value={value}>{value}</option>}
            {options.map(([each, says]) => (
              <option key={each} value={each} selected={each === value}>
                {says}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
