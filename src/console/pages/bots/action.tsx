import { Fragment, h } from "preact";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Check } from "../../parts/fields.tsx";
import { editBot } from "../../yaml/bot-edits.ts";
import type { Path } from "../../yaml/place.ts";
import { isFields, valueAt } from "../../yaml/plain.ts";
import { Entries } from "./entries.tsx";
import { Fields, type FieldSpec, Form } from "./fields.tsx";
import { isSwitchedOn } from "./form-checks.tsx";
import { pointsAt, useBotValue, whyFormsOff, write } from "./form.tsx";
import {
  type AnIntent,
  conditionsAsText,
  conditionsFrom,
  entriesAt,
  jsonFieldsAsText,
  jsonFieldsFrom,
  METHODS,
  NEW_ANSWER,
  newAction,
  slotNamesOf,
} from "./settings.ts";
import { Slots } from "./slots.tsx";

/** Entries of `answers` at most. */
const MAX_ANSWERS = 50;

interface ActionProps {
  editor: BotDraftEditor;
  /** The intent's. */
  path: Path;
}

/** Switches between answers that are written here and one that is looked up; undo brings back what it takes away. */
export function ActionSwitch({ editor, path, intent }: ActionProps & { intent: AnIntent }) {
  const isOn = isSwitchedOn(intent.action);
  const action = [...path, "action"];
  const endpoints = editor.published.value!.endpoints;
  const removed = (...fields: ("action" | "slots" | "responses")[]) =>
    fields
      .filter((field) => intent[field] !== undefined)
      .map((field) => ({ kind: "remove", path: [...path, field] }) as const);
  const toggle = () => {
    const edits = isOn
      ? removed("action", "slots")
      : [...removed("responses"), { kind: "set", path: action, value: newAction(endpoints) } as const];
    write(editor, editBot(editor.sound.peek(), ...edits));
  };
  return (
    <div {...pointsAt(action)}>
      <Check isOn={isOn} isOff={whyFormsOff(editor) !== undefined} onChange={toggle}>
        Call an endpoint instead of giving a written answer
      </Check>
    </div>
  );
}

/** Slots, endpoint and answers of an intent with an action. */
export function Action({ editor, path }: ActionProps) {
  const slots = entriesAt(useBotValue(editor), [...path, "slots"]);
  return (
    <Fragment>
      <Slots editor={editor} path={[...path, "slots"]} />
      <Call editor={editor} path={[...path, "action"]} slots={slotNamesOf(slots)} />
      <Answers editor={editor} path={[...path, "action"]} />
    </Fragment>
  );
}

/** A field that is never left out: emptied, it stays as it was until something is written. */
const stay = () => {};

function Call({ editor, path, slots }: ActionProps & { slots: readonly string[] }) {
  const action = valueAt(useBotValue(editor), path);
  const method = isFields(action) ? action["method"] : undefined;
  const { endpoints } = editor.published.value!;
  const endpoint = endpoints.find(({ name }) => name === valueAt(action, ["endpoint"]));
  const isAllowed = (each: string) =>
    endpoint?.methods.some((allowed) => allowed === (each || "GET")) !== false;
  const isReading = method === undefined || method === "GET";
  const proof = entriesAt(action, ["proof"]).map(String);
  const named = [...new Set([...slots, ...proof])].map((name) => [name, name] as const);
  const allowed =
    endpoint === undefined ? "" : `Allowed are ${endpoint.paths.join(" and ")}; * is one segment. `;
  const isThere = endpoints.length > 0;
  const ofEndpoint = { path: [...path, "endpoint"], label: "Endpoint" };
  return (
    <Form
      editor={editor}
      title="Endpoint call"
      hint="its address is in the server's configuration"
      fields={[
        isThere
          ? {
              kind: "choice",
              ...ofEndpoint,
              options: endpoints.map(({ name }) => [name, name] as const),
              hint: "Those that the server's configuration lets this bot call.",
            }
          : {
              ...ofEndpoint,
              onEmptied: stay,
              hint: "The server's configuration has no endpoint that this bot may call. Add one there first, and name it here.",
            },
        {
          kind: "choice",
          path: [...path, "method"],
          label: "Method",
          options: METHODS.map(
            ([each, says]) =>
              [each, isAllowed(each) ? says : `${says} (the configuration forbids it)`] as const,
          ),
        },
        {
          path: [...path, "path"],
          label: "Path and query",
          isWide: true,
          onEmptied: stay,
          hint: `${allowed}For example /orders/{orderNumber}?email={email}. Values are encoded.`,
        },
        (!isReading || valueAt(action, ["body"]) !== undefined) && {
          path: [...path, "body"],
          label: "Body (JSON)",
          rows: 4,
          isWide: true,
          placeholder: "none",
          parse: jsonFieldsFrom,
          format: jsonFieldsAsText,
        },
        {
          kind: "checks",
          path: [...path, "proof"],
          label: "Proof that the data is the visitor's",
          options: named,
          otherwise: [],
          noneIsAbsent: true,
          hint: `Without proof, anybody who types a number sees the data. ${named.length < 2 ? "Add two or more values to ask for, above; then select those" : "Select two or more values"} that the endpoint compares. Only endpoints that the configuration names as public need none.`,
        },
        {
          path: [...path, "confirm"],
          label: "Confirmation question",
          isWide: true,
          placeholder: isReading ? "none" : "required, because this changes something",
          hint: "The visitor answers yes or no. For example: Cancel order {orderNumber}?",
        },
      ]}
    />
  );
}

function Answers({ editor, path }: ActionProps) {
  const answers = entriesAt(useBotValue(editor), [...path, "answers"]);
  return (
    <section class="section gap" aria-labelledby="h-answers">
      <header>
        <h2 id="h-answers">Answers</h2>
        <span class="end faint">the first that matches the endpoint's response is given</span>
      </header>
      <Entries
        editor={editor}
        path={[...path, "answers"]}
        items={answers}
        one="answer"
        most={MAX_ANSWERS}
        least={1}
        isOrdered
        fresh={() => NEW_ANSWER}
        fields={answerFields}
      />
      <Fields
        editor={editor}
        fields={[
          {
            path: [...path, "failure"],
            label: "Answer when the call fails",
            rows: 2,
            isWide: true,
            onEmptied: stay,
            hint: "Used if the endpoint does not respond, or responds with a status from 400 to 499 that no answer above names.",
          },
        ]}
      />
    </section>
  );
}

const answerFields = (path: Path): FieldSpec[] => [
  {
    path: [...path, "when"],
    label: "Condition",
    rows: 2,
    placeholder: "any status from 200 to 299",
    parse: conditionsFrom,
    format: conditionsAsText,
    hint: "One per line, for example status = 404 or body.state = shipped, sent.",
  },
  {
    path: [...path, "say"],
    label: "Answer",
    rows: 2,
    onEmptied: stay,
    hint: "May contain {orderNumber}, {body.total, money} or {body.day, date}.",
  },
  { kind: "switch", path: [...path, "proofFailed"], label: "The proof failed: reveal nothing", on: true },
];
