import { signal } from "@preact/signals";
import { type ComponentChildren, h } from "preact";
import { useMemo, useRef } from "preact/hooks";

import type { BotMistake } from "../../../domain/operator/bots.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { whyOff } from "../../parts/button.tsx";
import { Choice, Input } from "../../parts/fields.tsx";
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

export interface TextFieldProps {
  editor: BotDraftEditor;
  path: Path;
  label: string;
  hint?: ComponentChildren;
  rows?: number;
  /** A whole number. */
  isNumber?: boolean;
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
const wholeNumber: Parse = (typed) => {
  const digits = typed.replaceAll(/[\s,_]/g, "");
  if (digits === "") return { value: undefined };
  return /^\d+$/.test(digits) ? { value: Number(digits) } : { fault: "Enter a whole number." };
};

/** Lists as texts: their entries stand between commas, or on lines of their own. */
const listBy = (separator: RegExp, joint: string) => ({
  parse: (typed: string) => ({ value: typed.split(separator).flatMap((entry) => entry.trim() || []) }),
  format: (value: unknown) => (Array.isArray(value) ? value.join(joint) : ""),
});
export const BY_COMMAS = listBy(/,/, ", ");
export const BY_LINES = listBy(/\n/, "\n");

/** Options of a field that may be left out: then the first applies. */
export const withDefault = (options: Readonly<Record<string, string>>) =>
  [["", `Default (${Object.values(options)[0]})`], ...Object.entries(options)] as const;

/** The meaning of choices that are `true`, `false`, or left out. */
export const yesOrNo = (option: string) => (option === "" ? undefined : option === "true");

/** A text field for one value of the bot. The text is updated with each key; one visit to the field is one undo step. */
export function TextField(props: TextFieldProps) {
  const {
    editor,
    path,
    label,
    rows,
    isWide = false,
    placeholder,
    isNumber = false,
    parse = isNumber ? wholeNumber : plainText,
    format = asText,
  } = props;
  const isFirst = useRef(true);
  const typed = useRef<{ text: string; fault: string | undefined }>(undefined);
  const value = valueAt(useBotValue(editor), path);
  const shown = typed.current?.text ?? format(value);
  const redraw = useMemo(() => signal(0), []);
  void redraw.value;
  const off = whyFormsOff(editor);
  const onType = (text: string) => {
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
      <Input
        label={label}
        fault={fault}
        hint={said ?? props.hint}
        value={shown}
        placeholder={placeholder}
        readOnly={off !== undefined}
        title={off}
        isNumber={isNumber}
        {...(rows !== undefined && { rows })}
        onType={onType}
        onBlur={onBlur}
      />
    </div>
  );
}

export interface ChoiceFieldProps {
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
  const mistake = mistakeAt(editor, path);
  const said = mistake === undefined ? hint : <Sentence text={mistake.message} />;
  return (
    <div {...pointsAt(path)}>
      <Choice
        label={label}
        {...(mistake?.severity === "error" ? { fault: said } : { hint: said })}
        value={value}
        options={options}
        isOff={whyFormsOff(editor) !== undefined}
        onChange={(option) => write(editor, edit(editor.sound.peek(), option))}
      />
    </div>
  );
}
