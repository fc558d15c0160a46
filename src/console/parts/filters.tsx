import { type ComponentChildren, h } from "preact";
import { useId } from "preact/hooks";

import { bots } from "../bots.ts";

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, says: string])[];
  onChange: (value: string) => void;
}

/** One of several, in a list that opens. */
export function Select({ label, value, options, onChange }: ChoiceProps) {
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

/** A bot, or all of them. */
export function BotSelect({ value, onChange }: { value: string; onChange: (bot: string) => void }) {
  const known = bots.value ?? [];
  const isUnknown = value !== "" && !known.some(({ id }) => id === value);
  const options = [
    ["", "All bots"],
    ...known.map(({ id, name }) => [id, name] as const),
    ...(isUnknown ? [[value, value] as const] : []),
  ] as const;
  return <Select label="Bot" value={value} options={options} onChange={onChange} />;
}

interface SegmentsProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, says: string])[];
  addressOf: (value: string) => string;
}

/** One of a few, side by side; each is an address. */
export function Segments({ label, value, options, addressOf }: SegmentsProps) {
  return (
    <div class="seg" role="group" aria-label={label}>
      {options.map(([each, says]) => (
        <a key={each} href={addressOf(each)} aria-current={each === value ? "true" : undefined}>
          {says}
        </a>
      ))}
    </div>
  );
}

/** Something that is on or off. */
export function Chip({
  on,
  onClick,
  children,
}: {
  on: boolean;
  onClick: () => void;
  children: ComponentChildren;
}) {
  return (
    <button class="chip" type="button" aria-pressed={on} onClick={onClick}>
      {children}
    </button>
  );
}

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
