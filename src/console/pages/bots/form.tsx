import { signal } from "@preact/signals";
import { type ComponentChildren, h } from "preact";
import { useMemo, useRef } from "preact/hooks";

import type { BotMistake } from "../../../domain/operator/bots.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { whyOff } from "../../parts/button.tsx";
import { Field } from "../../parts/filters.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { sayFault } from "../../toasts.ts";
import { setField } from "../../yaml/bot-edits.ts";
import { linesOf, type Path, readValue } from "../../yaml/place.ts";
import { valueAt } from "../../yaml/plain.ts";

/** The place in the bot's text that the row under the cursor comes from; the YAML beside it shades its lines. */
export const pointedAt = signal<Path | undefined>(undefined);

/** Says which place a row comes from, as it is pointed at or has the focus. */
export function pointsAt(path: Path) {
  const point = () => {
    pointedAt.value = path;
  };
  return { onMouseEnter: point, onFocusCapture: point };
}

/** What the bot's sound text says. */
export function useBotValue(editor: BotDraftEditor): unknown {
  const text = editor.sound.value;
  return useMemo(() => readValue(text), [text]);
}

/** Takes a text that an edit made; where none could be made, it says why. */
export function write(editor: BotDraftEditor, text: string | undefined, isFirst = true): void {
  if (text === undefined) sayFault("This value comes from a YAML alias. Edit it in the YAML.");
  else if (isFirst) editor.edit(text);
  else editor.refine(text);
}

/** Why forms are off: the role, the connection, or a mistake in the YAML; undefined: they are not. */
export function whyFormsOff(editor: BotDraftEditor): string | undefined {
  if (!editor.isSound.value) return "The YAML has an error. This shows the last correct draft.";
  return whyOff("bots.write");
}

/** The first mistake in the lines of a place. */
export function mistakeAt(editor: BotDraftEditor, path: Path): BotMistake | undefined {
  const mistakes = editor.mistakes.value;
  if (mistakes.length === 0) return undefined;
  const lines = linesOf(editor.sound.value, path);
  return lines && mistakes.find(({ line }) => line !== undefined && line >= lines.from && line <= lines.to);
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
  /** How what is typed becomes a value; absent: as it is. */
  parse?: Parse;
  /** Of what goes where nothing is said, as an entry of a list: when it is left empty, and not while it is being written anew. */
  onEmptied?: () => void;
  /** How a value is typed. */
  format?: (value: unknown) => string;
}

const asText = (value: unknown) =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
const plainText: Parse = (typed) => ({ value: typed });

/** Whole numbers, with or without commas between thousands; empty: none. */
export const wholeNumber: Parse = (typed) => {
  const digits = typed.replaceAll(/[\s,_]/g, "");
  if (digits === "") return { value: undefined };
  return /^\d+$/.test(digits) ? { value: Number(digits) } : { fault: "A whole number." };
};

/** Words with commas between them. */
export const commaSeparated: Parse = (typed) => ({
  value: typed
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean),
});

/** A field of the bot's text. What is typed goes into the text at once; one visit is one step that can be taken back. */
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
  const fault = typed.current?.fault ?? (mistake?.severity === "error" ? mistake.message : undefined);
  return (
    <div class={isWide ? "wide" : undefined} {...pointsAt(path)}>
      <Field
        label={label}
        fault={fault}
        hint={mistake === undefined ? props.hint : <Sentence text={mistake.message} />}
      >
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
  /** "" stands for "not said", and takes the field away. */
  options: readonly (readonly [value: string, says: string])[];
  hint?: ComponentChildren;
  /** What an option stands for, where it is no text; absent: the option itself. */
  meaning?: (option: string) => unknown;
}

export function ChoiceField({ editor, path, label, options, hint, meaning = String }: ChoiceFieldProps) {
  const value = asText(valueAt(useBotValue(editor), path));
  const isKnown = options.some(([each]) => each === value);
  return (
    <div {...pointsAt(path)}>
      <Field label={label} hint={mistakeAt(editor, path)?.message ?? hint}>
        {({ id, describedBy }) => (
          <select
            id={id}
            class="select field-select"
            value={value}
            disabled={whyFormsOff(editor) !== undefined}
            aria-describedby={describedBy}
            onChange={(event) =>
              write(editor, setField(editor.sound.peek(), path, meaning(event.currentTarget.value)))
            }
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
