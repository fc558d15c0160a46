import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { SlotType } from "../../../domain/action.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Field } from "../../parts/fields.tsx";
import { Sentence } from "../../parts/text.tsx";
import { editBot } from "../../yaml/bot-edits.ts";
import type { Path } from "../../yaml/place.ts";
import { isFields, valueAt } from "../../yaml/plain.ts";
import { renameSlot } from "../../yaml/rename-slot.ts";
import { Entries } from "./entries.tsx";
import { SwitchField } from "./form-checks.tsx";
import { ChoiceField, mistakeAt, pointsAt, TextField, useBotValue, whyFormsOff, write } from "./form.tsx";
import {
  entriesAt,
  KINDS,
  MOST_SLOTS,
  NEW_CHOICES,
  newSlot,
  slotNameFault,
  slotNamesOf,
} from "./settings.ts";

/** Choices of a slot at most. */
const MOST_CHOICES = 20;

interface SlotsProps {
  editor: BotDraftEditor;
  path: Path;
}

/** Values that the bot asks for, one after the other, before it calls the endpoint. */
export function Slots({ editor, path }: SlotsProps) {
  const value = useBotValue(editor);
  const slots = entriesAt(value, path);
  return (
    <section class="section" aria-labelledby="h-slots">
      <header>
        <h2 id="h-slots">Values to ask for</h2>
        <span class="end faint">one at a time; what the visitor has said is not asked for again</span>
      </header>
      <Entries
        editor={editor}
        path={path}
        items={slots}
        one="value"
        most={MOST_SLOTS}
        fresh={() => newSlot(slotNamesOf(slots))}
        fields={(at) => {
          const others = slotNamesOf(slots.filter((_, index) => index !== at.at(-1)));
          return <SlotFields editor={editor} path={at} slot={valueAt(value, at)} others={others} />;
        }}
      />
    </section>
  );
}

interface NameFieldProps extends SlotsProps {
  name: string;
  /** Names of the intent's other slots. */
  others: readonly string[];
}

/** The name of a slot. Leaving the field renames it wherever the action says it. */
function NameField({ editor, path, name, others }: NameFieldProps) {
  const [typed, setTyped] = useState(name);
  const [intent, at] = [path.slice(0, -2), Number(path.at(-1))];
  const mistake = mistakeAt(editor, [...path, "name"]);
  const said = mistake?.severity === "error" ? <Sentence text={mistake.message} /> : undefined;
  const fault = typed === name ? said : slotNameFault(typed, others);
  const take = () => {
    if (typed === name || fault !== undefined) return;
    write(editor, renameSlot(editor.sound.peek(), intent, at, typed));
  };
  return (
    <div {...pointsAt([...path, "name"])}>
      <Field
        label="Name"
        fault={fault}
        hint={`{${name || "name"}} stands for its value in texts, path and body.`}
      >
        {({ id, describedBy }) => (
          <input
            id={id}
            class="input"
            value={typed}
            aria-describedby={describedBy}
            aria-invalid={fault !== undefined}
            readOnly={whyFormsOff(editor) !== undefined}
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onChange={take}
          />
        )}
      </Field>
    </div>
  );
}

function SlotFields({
  editor,
  path,
  slot,
  others,
}: SlotsProps & { slot: unknown; others: readonly string[] }) {
  const type = isFields(slot) ? slot["type"] : undefined;
  const name = isFields(slot) && typeof slot["name"] === "string" ? slot["name"] : "";
  const isOptional = isFields(slot) && slot["optional"] === true;
  return (
    <Fragment>
      <NameField key={name} editor={editor} path={path} name={name} others={others} />
      <ChoiceField
        editor={editor}
        path={[...path, "type"]}
        label="Kind"
        options={KINDS}
        edit={(text, kind) => withKind(text, path, kind as SlotType)}
      />
      <TextField
        editor={editor}
        path={[...path, "ask"]}
        label="Question"
        isWide
        placeholder={isOptional ? "never asked" : "required"}
      />
      {(type === "text" || valueAt(slot, ["pattern"]) !== undefined) && (
        <TextField
          editor={editor}
          path={[...path, "pattern"]}
          label="Pattern (whole value)"
          placeholder="required"
          hint="A regular expression, for example [0-9]{5} for five digits."
        />
      )}
      <ChoiceField
        editor={editor}
        path={[...path, "remember"]}
        label="Within a conversation"
        options={[
          ["", "Default (asked for once)"],
          ["true", "asked for once"],
          ["false", "asked for every time"],
        ]}
        meaning={(option) => (option === "" ? undefined : option === "true")}
      />
      <div class="wide">
        <SwitchField
          editor={editor}
          path={[...path, "optional"]}
          label="Optional: used if the visitor says it, never asked for"
          on={true}
        />
      </div>
      {type === "choice" && (
        <div class="wide">
          <p class="small strong dim">Choices</p>
          <Entries
            editor={editor}
            path={[...path, "choices"]}
            items={entriesAt(slot, ["choices"])}
            one="choice"
            most={MOST_CHOICES}
            least={NEW_CHOICES.length}
            fresh={() => ({ value: "another" })}
            fields={(at) => <ChoiceFields editor={editor} path={at} />}
          />
        </div>
      )}
    </Fragment>
  );
}

function ChoiceFields({ editor, path }: SlotsProps) {
  return (
    <Fragment>
      <TextField
        editor={editor}
        path={[...path, "value"]}
        label="Value for the endpoint"
        onEmptied={() => {}}
      />
      <TextField editor={editor} path={[...path, "label"]} label="Button label" placeholder="the value" />
      <TextField
        editor={editor}
        path={[...path, "synonyms"]}
        label="Synonyms"
        isWide
        parse={words}
        format={(value) => (Array.isArray(value) ? value.join(", ") : "")}
        hint="Separated by commas."
      />
    </Fragment>
  );
}

function words(typed: string) {
  const said = typed.split(",").flatMap((word) => word.trim() || []);
  return { value: said.length === 0 ? undefined : said };
}

/** A choice has choices, and nothing else does. */
function withKind(text: string, path: Path, kind: SlotType): string | undefined {
  const choices = [...path, "choices"];
  const set = editBot(text, { kind: "set", path: [...path, "type"], value: kind });
  if (kind === "choice" && set !== undefined)
    return editBot(set, { kind: "set", path: choices, value: NEW_CHOICES });
  return set && editBot(set, { kind: "remove", path: choices });
}
