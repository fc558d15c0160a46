import { type ComponentChildren, h } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  fault?: ComponentChildren;
  children: (ids: { id: string; describedBy: string | undefined }) => ComponentChildren;
}

/** A labelled field of a form, with what is wrong with it below. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const below = `${id}-below`;
  const isBelow = hint !== undefined || fault !== undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, describedBy: isBelow ? below : undefined })}
      {isBelow && (
        <span id={below} class={fault === undefined ? "hint" : "fault"}>
          {fault ?? hint}
        </span>
      )}
    </div>
  );
}

interface InputProps extends Omit<FieldProps, "children"> {
  value: string;
  onType: (value: string) => void;
  type?: "text" | "password";
  autocapitalize?: "none";
  autocomplete?: "off" | "username" | "current-password" | "new-password";
  autofocus?: boolean;
  maxLength?: number;
  placeholder?: string;
  required?: boolean;
  spellcheck?: boolean;
}

/** A labelled line of text. */
export function Input({ label, hint, fault, type, onType, ...attributes }: InputProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {({ id, describedBy }) => {
        const common = {
          ...attributes,
          id,
          class: "input",
          "aria-describedby": describedBy,
          "aria-invalid": fault !== undefined,
          onInput: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
        };
        return type === "password" ? <input {...common} type="password" /> : <input {...common} />;
      }}
    </Field>
  );
}

/** Whether a password has as many characters as the server asks for. */
export const isLongEnough = (password: string): boolean =>
  Array.from(password).length >= LEAST_PASSWORD_LENGTH;

/** A new password, with what it has to be. */
export function NewPassword({ fault, ...props }: Pick<InputProps, "label" | "fault" | "value" | "onType">) {
  return (
    <Input
      {...props}
      type="password"
      autocomplete="new-password"
      hint={`At least ${LEAST_PASSWORD_LENGTH} characters, for example a few words.`}
      fault={fault}
    />
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, says: string])[];
  onChange: (value: string) => void;
}

/** One of several, in a list that opens. */
export function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId();
  return (
    <span>
      <label class="vh" for={id}>
        {label}
      </label>
      <select id={id} class="select" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, says]) => (
          <option key={each} value={each} selected={each === value}>
            {says}
          </option>
        ))}
      </select>
    </span>
  );
}

/** The same as a field of a form, with its label above. */
export function SelectField(select: SelectProps) {
  return (
    <div class="field">
      <span class="label">{select.label}</span>
      <Select {...select} />
    </div>
  );
}

const DAY_MS = 86_400_000;

/** Lifetimes of a token or key: days, or "" for no end. */
const EXPIRIES = [
  ["", "unlimited time"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "a year"],
] as const;

/** How long a token or key is valid. @param days as {@link expiryOf} takes them. */
export function ExpiryField({ days, onChange }: { days: string; onChange: (days: string) => void }) {
  return <SelectField label="Valid for" value={days} options={EXPIRIES} onChange={onChange} />;
}

/** The instant of expiry, as a part of a request; none: never. */
export function expiryOf(days: string, now: number): { expiresAt?: number } {
  return days === "" ? {} : { expiresAt: now + Number(days) * DAY_MS };
}

/** Characters that a password has at least; a test holds it to `LEAST_PASSWORD_LENGTH` of `domain/operator/access.ts`. */
export const LEAST_PASSWORD_LENGTH = 12;
