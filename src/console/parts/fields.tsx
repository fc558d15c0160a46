import { type ComponentChildren, h, type Ref } from "preact";
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
  /** The value is complete: the field was left, or Enter was pressed. */
  onChange?: () => void;
  onBlur?: () => void;
  /** Lines, of a text that may have several; absent: one line. */
  rows?: number;
  isNumber?: boolean;
  type?: "text" | "password";
  autocapitalize?: "none";
  autocomplete?: "off" | "username" | "current-password" | "new-password";
  autofocus?: boolean;
  maxLength?: number;
  placeholder?: string | undefined;
  readOnly?: boolean;
  required?: boolean;
  spellcheck?: boolean;
  /** Why it is read-only. */
  title?: string | undefined;
  /** The element of a single line. */
  fieldRef?: Ref<HTMLInputElement> | undefined;
}

/** A labelled text. */
export function Input({
  label,
  hint,
  fault,
  type,
  onType,
  rows,
  isNumber = false,
  fieldRef,
  ...attributes
}: InputProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {({ id, describedBy }) => {
        const common = {
          ...attributes,
          id,
          "aria-describedby": describedBy,
          "aria-invalid": fault !== undefined,
          onInput: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
        };
        if (rows !== undefined) return <textarea {...common} class="textarea" rows={rows} />;
        const line = { ...common, class: `input ${isNumber ? "tn" : ""}` };
        if (type === "password")
          return <input {...line} {...(fieldRef && { ref: fieldRef })} type="password" />;
        return (
          <input
            {...line}
            {...(fieldRef && { ref: fieldRef })}
            inputMode={isNumber ? "numeric" : undefined}
          />
        );
      }}
    </Field>
  );
}

interface CheckProps {
  isOn: boolean;
  isOff?: boolean;
  onChange: (isOn: boolean) => void;
  children: ComponentChildren;
}

/** Something to tick. @param isOff it cannot be changed. */
export function Check({ isOn, isOff = false, onChange, children }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isOff}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}

interface ChecksProps<Value extends string> {
  options: readonly (readonly [value: Value, says: ComponentChildren])[];
  chosen: readonly unknown[];
  isOff?: boolean;
  /** One must stay ticked. */
  needsOne?: boolean;
  /** @param chosen in the order of the options. */
  onChange: (chosen: Value[]) => void;
}

/** Several to tick. */
export function Checks<Value extends string>({
  options,
  chosen,
  isOff,
  needsOne,
  onChange,
}: ChecksProps<Value>) {
  return options.map(([each, says]) => {
    const isOn = chosen.includes(each);
    const toggle = () =>
      onChange(
        options.map(([other]) => other).filter((other) => chosen.includes(other) !== (other === each)),
      );
    return (
      <Check
        key={each}
        isOn={isOn}
        isOff={isOff === true || (needsOne === true && isOn && chosen.length === 1)}
        onChange={toggle}
      >
        {says}
      </Check>
    );
  });
}

/** Whether a password has as many characters as the server asks for. */
export const isLongEnough = (password: string): boolean => Array.from(password).length >= MIN_PASSWORD_LENGTH;

/** A new password, with what it has to be. */
export function NewPassword({ fault, ...props }: Pick<InputProps, "label" | "fault" | "value" | "onType">) {
  return (
    <Input
      {...props}
      type="password"
      autocomplete="new-password"
      hint={`At least ${MIN_PASSWORD_LENGTH} characters, for example a few words.`}
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

interface ChoiceProps extends Omit<FieldProps, "children"> {
  value: string;
  options: SelectProps["options"];
  isOff?: boolean;
  onChange: (value: string) => void;
}

/** One of several, as wide as a field of a form. A value that is none of them is shown, too. */
export function Choice({ value, options, isOff = false, onChange, ...field }: ChoiceProps) {
  const isKnown = options.some(([each]) => each === value);
  return (
    <Field {...field}>
      {({ id, describedBy }) => (
        <select
          id={id}
          class="select field-select"
          value={value}
          disabled={isOff}
          aria-describedby={describedBy}
          aria-invalid={field.fault !== undefined}
          onChange={(event) => onChange(event.currentTarget.value)}
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

/** Characters that a password has at least; a test holds it to `MIN_PASSWORD_LENGTH` of `domain/operator/access.ts`. */
export const MIN_PASSWORD_LENGTH = 12;
