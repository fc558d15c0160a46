import { h } from "preact";
import { useState } from "preact/hooks";

import type { SlotType } from "../../../domain/action.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Input } from "../../parts/fields.tsx";
import { Sentence } from "../../parts/text.tsx";
import { editBot } from "../../yaml/bot-edits.ts";
import type { Path } from "../../yaml/place.ts";
import { valueAt } from "../../yaml/plain.ts";
import { renameSlot } from "../../yaml/rename-slot.ts";
import { Entries } from "./entries.tsx";
import type { FieldSpec } from "./fields.tsx";
import {
  BY_COMMAS,
  mistakeAt,
  pointsAt,
  useBotValue,
  whyFormsOff,
  write,
  withDefault,
  yesOrNo,
} from "./form.tsx";
import { entriesAt, KINDS, MAX_SLOTS, NEW_CHOICES, newSlot, slotNameFault, slotNamesOf } from "./settings.ts";

/** Choices of a slot at most. */
const MAX_CHOICES = 20;

interface SlotsProps {
  editor: BotDraftEditor;
  path: Path;
}

/** Values that the bot asks for, one after the other, before it calls the endpoint. */
export function Slots({ editor, path }: SlotsProps) {
  const slots = entriesAt(useBotValue(editor), path);
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
        most={MAX_SLOTS}
        fresh={() => newSlot(slotNamesOf(slots))}
        fields={(at) => slotFields(editor, at, slots)}
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
      <Input
        label="Name"
        fault={fault}
        hint={`{${name || "name"}} stands for its value in texts, path and body.`}
        value={typed}
        readOnly={whyFormsOff(editor) !== undefined}
        spellcheck={false}
        onType={setTyped}
        onChange={take}
      />
    </div>
  );
}

function slotFields(editor: BotDraftEditor, path: Path, slots: readonly unknown[]): FieldSpec[] {
  const at = Number(path.at(-1));
  const slot = slots[at];
  const [name = ""] = slotNamesOf([slot]);
  const type = valueAt(slot, ["type"]);
  const others = slotNamesOf(slots.filter((_, index) => index !== at));
  return [
    <NameField key={name} editor={editor} path={path} name={name} others={others} />,
    {
      kind: "choice",
      path: [...path, "type"],
      label: "Kind",
      options: KINDS,
      edit: (text, kind) => withKind(text, path, kind as SlotType),
    },
    {
      path: [...path, "ask"],
      label: "Question",
      isWide: true,
      placeholder: valueAt(slot, ["optional"]) === true ? "never asked" : "required",
    },
    (type === "text" || valueAt(slot, ["pattern"]) !== undefined) && {
      path: [...path, "pattern"],
      label: "Pattern (whole value)",
      placeholder: "required",
      hint: "A regular expression, for example [0-9]{5} for five digits.",
    },
    {
      kind: "choice",
      path: [...path, "remember"],
      label: "Within a conversation",
      options: withDefault({ true: "asked for once", false: "asked for every time" }),
      meaning: yesOrNo,
    },
    {
      kind: "switch",
      path: [...path, "optional"],
      label: "Optional: used if the visitor says it, never asked for",
      on: true,
    },
    type === "choice" && (
      <div key="choices" class="wide">
        <p class="small strong dim">Choices</p>
        <Entries
          editor={editor}
          path={[...path, "choices"]}
          items={entriesAt(slot, ["choices"])}
          one="choice"
          most={MAX_CHOICES}
          least={NEW_CHOICES.length}
          fresh={() => ({ value: "another" })}
          fields={choiceFields}
        />
      </div>
    ),
  ];
}

const choiceFields = (path: Path) => [
  { path: [...path, "value"], label: "Value for the endpoint", onEmptied: () => {} },
  { path: [...path, "label"], label: "Button label", placeholder: "the value" },
  {
    path: [...path, "synonyms"],
    label: "Synonyms",
    isWide: true,
    ...BY_COMMAS,
    parse: words,
    hint: "Separated by commas.",
  },
];

/** No synonyms: the field goes. */
function words(typed: string) {
  const { value } = BY_COMMAS.parse(typed);
  return { value: value.length === 0 ? undefined : value };
}

/** A choice has choices, and nothing else does. */
function withKind(text: string, path: Path, kind: SlotType): string | undefined {
  const choices = [...path, "choices"];
  const set = editBot(text, { kind: "set", path: [...path, "type"], value: kind });
  if (kind === "choice" && set !== undefined)
    return editBot(set, { kind: "set", path: choices, value: NEW_CHOICES });
  return set && editBot(set, { kind: "remove", path: choices });
}
