import { h } from "preact";

import type { FieldChange } from "../../../domain/change.ts";
import { VisitorText } from "../../parts/visitor-text.tsx";
import { counted } from "../../words/numbers.ts";

/** A change of more fields than this is folded. */
const OPEN_UP_TO = 3;

/** The earlier and the new value of each changed field. */
export function Changes({ fields, omitted }: { fields: readonly FieldChange[]; omitted: number }) {
  if (fields.length === 0) return null;
  const list = (
    <dl class="facts">
      {fields.map((change) => (
        <Field key={change.field} change={change} />
      ))}
    </dl>
  );
  if (fields.length + omitted <= OPEN_UP_TO) return <div class="small">{list}</div>;
  return (
    <details class="small">
      <summary class="dim">{counted(fields.length + omitted, "field")}</summary>
      {list}
      {omitted > 0 && <p class="faint">and {counted(omitted, "field")} more, too long to list</p>}
    </details>
  );
}

function Field({ change }: { change: FieldChange }) {
  const { field, before, after, removed, added, isCut } = change;
  return [
    <dt key="name">
      <code>{field}</code>
    </dt>,
    <dd key="value">
      {"before" in change && <Value sign="−" value={before} />}
      {"after" in change && <Value sign="+" value={after} />}
      {removed?.map((value, at) => (
        <Value key={`r${at}`} sign="−" value={value} />
      ))}
      {added?.map((value, at) => (
        <Value key={`a${at}`} sign="+" value={value} />
      ))}
      {isCut === true && <span class="faint">shortened</span>}
    </dd>,
  ];
}

function Value({ sign, value }: { sign: "−" | "+"; value: unknown }) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (
    <div class={sign === "+" ? "added" : "removed"}>
      <span class="faint">{sign} </span>
      <VisitorText text={text ?? ""} />
    </div>
  );
}
