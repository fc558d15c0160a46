import { Fragment, h, type Ref } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { ImproveGroup } from "../../../domain/operator/improve.ts";
import { useKeys } from "../../keys.ts";
import { whyOff } from "../../parts/button.tsx";
import { Check, Input } from "../../parts/fields.tsx";
import {
  intentInWords,
  intentNames,
  nameFault,
  standingIn,
  suggestedName,
  type Target,
} from "../../teach/teaching.ts";
import type { Teaching } from "./use-teaching.ts";

type NewIntent = Extract<Target, { kind: "new" }>;

/** The intent for the selected messages: one of the closest, a new one or any other. */
export function Belonging({ group, teaching }: { group: ImproveGroup; teaching: Teaching }) {
  const { base, target, aim } = teaching;
  const other = useRef<HTMLSelectElement>(null);
  const names = intentNames(base);
  const nearest = group.nearest.filter(({ intent }) => names.includes(intent));
  const isOther = target?.kind === "intent" && !nearest.some(({ intent }) => intent === target.name);
  const isOff = whyOff("bots.write") !== undefined;
  const begin = () => aim(target?.kind === "new" ? target : newIntent(group));
  const nameField = useRef<HTMLInputElement>(null);
  const isNamed = useRef(false);
  const beginByKey = () => {
    isNamed.current = true;
    begin();
  };
  // The field is only there once the new intent is drawn. Without the focus in it, its letters would be keys of the page.
  useEffect(() => {
    if (isNamed.current) nameField.current?.select();
    isNamed.current = false;
  });
  useKeys([
    { key: "n", says: "new intent", run: beginByKey },
    { key: "a", says: "add to an intent", run: () => other.current?.focus() },
  ]);
  return (
    <section class="section" aria-labelledby="h-teach">
      <header>
        <h2 id="h-teach">Intent of these messages</h2>
      </header>
      <fieldset class="choice" disabled={isOff}>
        <legend class="vh">Intent of these messages</legend>
        {nearest.map(({ intent, confidence }) => (
          <label key={intent}>
            <input
              type="radio"
              name="to"
              checked={target?.kind === "intent" && target.name === intent}
              onChange={() => aim({ kind: "intent", name: intent })}
            />
            <span>
              <code class="intent">{intent}</code>{" "}
              <span class="faint small">{intentInWords(base, intent)}</span>
            </span>
            <span class="num faint small">{confidence.toFixed(2)} similarity</span>
          </label>
        ))}
        <label>
          <input type="radio" name="to" checked={target?.kind === "new"} onChange={begin} />
          <span>A new intent</span>
          <kbd>n</kbd>
        </label>
        {target?.kind === "new" && (
          <NewIntentForm target={target} base={base} onChange={aim} nameField={nameField} />
        )}
        <label>
          <input
            type="radio"
            name="to"
            aria-label="Another intent"
            checked={isOther}
            onChange={() => other.current?.focus()}
          />
          <select
            ref={other}
            class="select"
            aria-label="Another intent"
            value={isOther ? target.name : ""}
            onChange={({ currentTarget: { value } }) =>
              aim(value === "" ? undefined : { kind: "intent", name: value })
            }
          >
            <option value="">Another intent…</option>
            {names.map((name) => (
              <option key={name} value={name} selected={isOther && target.name === name}>
                {name}
              </option>
            ))}
          </select>
          <kbd>a</kbd>
        </label>
      </fieldset>
      {target !== undefined && (
        <p class="small">
          <button class="link" type="button" onClick={() => aim(undefined)}>
            Leave them unassigned
          </button>
        </p>
      )}
    </section>
  );
}

function newIntent({ messages }: ImproveGroup): NewIntent {
  return {
    kind: "new",
    name: suggestedName(messages[0]?.text ?? ""),
    label: "",
    answer: "",
    isAllowed: true,
  };
}

interface NewIntentFormProps {
  target: NewIntent;
  base: string;
  onChange: (target: NewIntent) => void;
}

function NewIntentForm({
  target,
  base,
  onChange,
  nameField,
}: NewIntentFormProps & { nameField: Ref<HTMLInputElement> }) {
  const fault = nameFault(target.name, intentNames(base));
  const set = (field: "name" | "label" | "answer") => (value: string) =>
    onChange({ ...target, [field]: value });
  return (
    <div class="nested section">
      <div class="fields">
        <Input
          label="Name"
          fault={fault}
          value={target.name}
          spellcheck={false}
          fieldRef={nameField}
          onType={set("name")}
        />
        <Input label="Label in “Did you mean”" value={target.label} onType={set("label")} />
        <div class="wide">
          <Input
            label="Answer (Markdown)"
            hint={<Standing target={target} base={base} onChange={onChange} />}
            rows={3}
            value={target.answer}
            onType={set("answer")}
          />
        </div>
      </div>
    </div>
  );
}

function Standing({ target, base, onChange }: NewIntentFormProps) {
  if (target.name === "") return <Fragment />;
  const { standing, by } = standingIn(base, target.name);
  if (standing === "allowed")
    return (
      <Fragment>
        Allowed
        {by !== undefined && [
          " by ",
          <code key="by" class="intent">
            {by}
          </code>,
        ]}
        , so visitors would get this answer.
      </Fragment>
    );
  if (standing === "denied")
    return (
      <Fragment>
        Denied by <code class="intent">{by}</code>, so visitors would get the refusal.
      </Fragment>
    );
  return (
    <Check isOn={target.isAllowed} onChange={(isAllowed) => onChange({ ...target, isAllowed })}>
      Allow it, so that visitors get this answer
    </Check>
  );
}
