import { Fragment, h } from "preact";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { valueAt } from "../../yaml/plain.ts";
import { Fields, type FieldSpec } from "./fields.tsx";
import { isSwitchedOn, SwitchField } from "./form-checks.tsx";
import { BY_LINES, useBotValue, withDefault, yesOrNo } from "./form.tsx";
import { FIELDS, HANDOFF_OFFERS, OFFERS, USUAL_FIELDS } from "./settings.ts";

/** The form for hand-off to a person. */
export function Handoff({ editor }: { editor: BotDraftEditor }) {
  const isOn = isSwitchedOn(valueAt(useBotValue(editor), ["handoff"]));
  return (
    <section class="section gap" aria-labelledby="h-handoff">
      <header>
        <h2 id="h-handoff">Hand-off</h2>
      </header>
      <SwitchField editor={editor} path={["handoff"]} label="Let visitors ask for a person" on={{}} />
      {isOn ? (
        <Fragment>
          <Fields editor={editor} fields={OFFER} />
          <Hours editor={editor} />
          <Fields editor={editor} fields={TEAM} />
        </Fragment>
      ) : (
        <p class="dim">When the bot refuses or does not understand, the conversation ends with its answer.</p>
      )}
    </section>
  );
}

const OFFER: readonly FieldSpec[] = [
  {
    kind: "checks",
    path: ["handoff", "offer"],
    label: "Offered when",
    options: OFFERS,
    otherwise: HANDOFF_OFFERS,
  },
  {
    kind: "checks",
    path: ["handoff", "fields"],
    label: "Contact form fields",
    options: FIELDS,
    otherwise: USUAL_FIELDS,
    needsOne: true,
    hint: "With an e-mail address or phone number in the form, visitors fill in at least one of them.",
  },
  {
    kind: "choice",
    path: ["handoff", "live"],
    label: "Operators",
    options: withDefault({ true: "may join the conversation", false: "only use the contact details" }),
    meaning: yesOrNo,
  },
];

function timeZone(typed: string) {
  try {
    // Throws if the time zone is unknown.
    Intl.DateTimeFormat("en", { timeZone: typed.trim() });
    return { value: typed.trim() };
  } catch {
    return { fault: "For example Europe/Berlin." };
  }
}

function Hours({ editor }: { editor: BotDraftEditor }) {
  const path = ["handoff", "hours"];
  const hasHours = isSwitchedOn(valueAt(useBotValue(editor), path));
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Fragment>
      <SwitchField
        editor={editor}
        path={path}
        label="Show opening hours"
        on={{ timezone: here, open: ["Mo-Fr 09:00-17:00"] }}
      />
      {hasHours && (
        <Fields
          editor={editor}
          fields={[
            {
              path: [...path, "open"],
              label: "Opening hours",
              rows: 3,
              ...BY_LINES,
              hint: "One per line, for example Mo-Fr 09:00-17:30.",
            },
            {
              path: [...path, "timezone"],
              label: "Time zone",
              parse: timeZone,
              hint: "Visitors see the hours in their own time zone.",
            },
          ]}
        />
      )}
    </Fragment>
  );
}

const TEAM = [
  {
    path: ["handoff", "email"],
    label: "E-mail address for notices",
    placeholder: "none",
    hint: "Needs a mail server in the server's settings (PARLEY_SMTP).",
  },
  {
    path: ["handoff", "webhook"],
    label: "Webhook for notices",
    placeholder: "none",
    hint: "Its name in the server's configuration.",
  },
];
