import { type ComponentChildren, Fragment, h } from "preact";
import { useEffect } from "preact/hooks";

import { bots } from "../bots.ts";
import { nameWindow } from "../waiting-visitors.ts";
import { Select } from "./fields.tsx";

interface PageHeadProps {
  title: string;
  /** Filters and actions, beside the title. */
  children?: ComponentChildren;
  /** One sentence that sums up the state. */
  lead?: ComponentChildren;
}

/** The head of a page: title, which is also the window's, filters and a summary. */
export function PageHead({ title, children, lead }: PageHeadProps) {
  useEffect(() => {
    nameWindow(title);
  }, [title]);
  return (
    <Fragment>
      <div class="page-head">
        <h1>{title}</h1>
        {children}
      </div>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </Fragment>
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
