import { h } from "preact";

import { randomKey } from "../../client/random-key.ts";
import type { HandoffField } from "../../domain/handoff.ts";
import type { FormState, PeopleContext } from "./context.ts";
import { nextOpening } from "./hours.ts";

/** Maximum lengths by the schema HandoffRequest, in characters. */
const LONGEST = { name: 200, email: 320, phone: 50, message: 4000 } as const;
/** `autocomplete` of the fields. */
const AUTOCOMPLETE = { name: "name", email: "email", phone: "tel", message: "off" } as const;
const TYPES = { name: "text", email: "email", phone: "tel", message: "text" } as const;
/** As strict as the browser's own check (WHATWG HTML §4.10.5.1.5), but the domain must contain a dot. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export interface OfferProps {
  people: PeopleContext;
  /** Id of the message above it; undefined for the offer at the cap. */
  at: string | undefined;
}

/** A request for a person: the button, then the form, then the confirmation. */
export function Offer({ people, at }: OfferProps) {
  const { handoff } = people.view.session.kept();
  if (people.form && people.form.at === at) return <Form people={people} form={people.form} />;
  if (handoff && handoff.at === at && handoff.state !== "closed") {
    return (
      <p class="asked" role="status" tabIndex={-1}>
        {handoff.state === "open" && <Asked people={people} reach={handoff.reach} />}
      </p>
    );
  }
  const open = () => {
    const values = givenTo(people);
    people.form = { at, values, shares: false, sending: false, fault: "", errors: {} };
    people.focus(".handoff :is(input, textarea)");
  };
  return (
    <button type="button" class="talk" onClick={open}>
      {people.words("talk")}
    </button>
  );
}

/** Values for the form that the visitor gave before. */
function givenTo({ view: { session, shell } }: PeopleContext): FormState["values"] {
  const given = session
    .messages()
    .flatMap(({ metadata }) => metadata?.handoff?.fill ?? [])
    .at(-1);
  const { fields } = shell.config.handoff!;
  return Object.fromEntries(fields.flatMap((field) => (given?.[field] ? [[field, given[field]]] : [])));
}

/** The confirmation: where the reply will come, and the next opening hours. */
function Asked({ people, reach }: Pick<OfferProps, "people"> & { reach: string | undefined }) {
  const sentence = people.words(!reach ? "asked" : reach.includes("@") ? "write" : "call");
  const [before, after] = sentence.split("{to}");
  return (
    <span>
      {before}
      <bdi dir="ltr">{reach}</bdi>
      {after} <Away people={people} />
    </span>
  );
}

/** The next opening, outside opening hours. */
function Away({ people: { view, words } }: Pick<OfferProps, "people">) {
  const { hours } = view.shell.config.handoff!;
  const back = hours && nextOpening(hours, Date.now());
  if (back === undefined) return null;
  const style = { weekday: "long", hour: "numeric", minute: "2-digit" } as const;
  const time = new Intl.DateTimeFormat(view.formats, style).format(back);
  return <span class="aside">{words("away", { time })}</span>;
}

interface FormProps {
  people: PeopleContext;
  form: FormState;
}

function Form({ people, form }: FormProps) {
  const { words, view } = people;
  const { fields } = view.shell.config.handoff!;
  const cancel = () => {
    people.form = undefined;
    people.focus(".talk");
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void send(people, form);
  };
  return (
    <form class="ask handoff" aria-live="off" aria-label={words("talk")} noValidate onSubmit={submit}>
      <Away people={people} />
      {fields.map((field) => (
        <Field key={field} people={people} form={form} field={field} />
      ))}
      <label class="tick">
        <input
          type="checkbox"
          checked={form.shares}
          onChange={({ currentTarget }) => {
            form.shares = currentTarget.checked;
          }}
        />
        {words("share")}
      </label>
      <p class="wrong" role="alert">
        {form.fault}
      </p>
      <div class="line">
        <button class="do" aria-disabled={form.sending}>
          {view.words(form.fault ? "tryAgain" : "send")}
        </button>
        <button type="button" class="text-button" onClick={cancel}>
          {words("cancel")}
        </button>
      </div>
    </form>
  );
}

function Field({ people, form, field }: FormProps & { field: HandoffField }) {
  const id = `handoff-${field}`;
  const error = form.errors[field];
  const attributes = {
    id,
    value: form.values[field] ?? "",
    maxLength: LONGEST[field],
    autocomplete: AUTOCOMPLETE[field],
    dir: "auto",
    "aria-invalid": error !== undefined,
    "aria-describedby": error && `${id}-error`,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      form.values[field] = currentTarget.value;
    },
  } as const;
  return (
    <div>
      <label htmlFor={id}>{people.words(field)}</label>
      {field === "message" ? (
        <textarea {...attributes} rows={3} />
      ) : (
        <input {...attributes} type={TYPES[field]} list={undefined} />
      )}
      {error && (
        <p class="wrong" id={`${id}-error`}>
          {people.words(error)}
        </p>
      )}
    </div>
  );
}

/** Faults of the form: an invalid address, or no contact although the form asks for one. */
export function faultsOf(fields: readonly HandoffField[], values: FormState["values"]): FormState["errors"] {
  const email = values.email?.trim();
  if (email && !EMAIL.test(email)) return { email: "badEmail" };
  if (email || values.phone?.trim()) return {};
  const contact = fields.find((field) => field === "email" || field === "phone");
  return contact === undefined ? {} : { [contact]: "needsContact" };
}

async function send(people: PeopleContext, form: FormState): Promise<void> {
  const { session, shell } = people.view;
  if (form.sending) return;
  form.errors = faultsOf(shell.config.handoff!.fields, form.values);
  form.fault = "";
  if (Object.keys(form.errors).length > 0) return people.focus(".handoff [aria-invalid=true]");
  const { conversationId, handoff, messages } = session.kept();
  const filled = Object.entries(form.values).map(([field, text]) => [field, text.trim()] as const);
  const fields = {
    ...Object.fromEntries(filled.filter(([, text]) => text !== "")),
    ...(conversationId !== undefined && { conversationId }),
    shareTranscript: form.shares,
  };
  const body = JSON.stringify(fields);
  if (form.sent?.body !== body) form.sent = { body, key: randomKey() };
  form.sending = true;
  people.changed();
  const taken = await people.service.askForPerson(fields, form.sent.key);
  // The conversation is another one, perhaps another visitor's.
  if (session.messages()[0]?.id !== messages[0]?.id) return;
  form.sending = false;
  if (typeof taken === "string") {
    form.fault = taken === "notTaken" ? people.words(taken) : people.view.words(taken);
    return people.focus(".handoff .do");
  }
  people.form = undefined;
  const heard = taken.conversationId === conversationId ? (handoff?.heard ?? 0) : 0;
  const { email, phone } = form.values;
  const reach = email?.trim() || phone?.trim();
  session.keep({
    conversationId: taken.conversationId,
    handoff: { at: form.at, state: taken.state, reach, heard },
  });
  people.focus(".asked");
}
