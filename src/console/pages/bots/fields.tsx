import { h, isValidElement, type VNode } from "preact";
import { useId } from "preact/hooks";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { ChecksField, type ChecksFieldProps, SwitchField, type SwitchFieldProps } from "./form-checks.tsx";
import { ChoiceField, type ChoiceFieldProps, TextField, type TextFieldProps } from "./form.tsx";

type Without<Props> = Omit<Props, "editor">;

/** A field of a form. Without `kind` it is a text field. An element is rendered as it is; `false` is left out. */
export type FieldSpec =
  | Without<TextFieldProps>
  | (Without<ChoiceFieldProps> & { kind: "choice" })
  | (Without<ChecksFieldProps<string>> & { kind: "checks" })
  | (Without<SwitchFieldProps> & { kind: "switch" })
  | VNode
  | false;

interface FieldsProps {
  editor: BotDraftEditor;
  /** In the order in which they are shown. */
  fields: readonly FieldSpec[];
}

/** Fields of a form, each with its kind. */
export function Fields({ editor, fields }: FieldsProps) {
  return (
    <div class="fields">
      {fields.map((field) => {
        if (field === false || isValidElement(field)) return field;
        const props = { ...field, key: field.label, editor };
        if (!("kind" in props)) return <TextField {...props} />;
        if (props.kind === "choice") return <ChoiceField {...props} />;
        if (props.kind === "checks") return <ChecksField {...props} />;
        return (
          <div key={props.key} class="wide">
            <SwitchField {...props} />
          </div>
        );
      })}
    </div>
  );
}

interface FormProps extends FieldsProps {
  title: string;
  /** Faint words beside the title. */
  hint?: string;
}

/** A section of a page that contains only a heading and fields. */
export function Form({ title, hint, ...fields }: FormProps) {
  const id = useId();
  return (
    <section class="section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {hint !== undefined && <span class="end faint">{hint}</span>}
      </header>
      <Fields {...fields} />
    </section>
  );
}
