import { Fragment, h } from "preact";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { valueAt } from "../../yaml/plain.ts";
import { ChecksField, isSwitchedOn, SwitchField } from "./form-checks.tsx";
import { ChoiceField, TextField, useBotValue } from "./form.tsx";
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
          <Form editor={editor} />
          <Hours editor={editor} />
          <Team editor={editor} />
        </Fragment>
      ) : (
        <p class="dim">When the bot refuses or does not understand, the conversation ends with its answer.</p>
      )}
    </section>
  );
}

function Form({ editor }: { editor: BotDraftEditor }) {
  return (
    <div class="fields">
      <ChecksField
        editor={editor}
        path={["handoff", "offer"]}
        label="Offered when"
        options={OFFERS}
        otherwise={HANDOFF_OFFERS}
      />
      <ChecksField
        editor={editor}
        path={["handoff", "fields"]}
        label="Contact form fields"
        options={FIELDS}
        otherwise={USUAL_FIELDS}
        needsOne
        hint="With an e-mail address or phone number in the form, visitors fill in at least one of them."
      />
      <ChoiceField
        editor={editor}
        path={["handoff", "live"]}
        label="Operators"
        options={[
          ["", "Default (may join the conversation)"],
          ["true", "may join the conversation"],
          ["false", "only use the contact details"],
        ]}
        meaning={(option) => (option === "" ? undefined : option === "true")}
      />
    </div>
  );
}

const asLines = (value: unknown) => (Array.isArray(value) ? value.join("\n") : "");
const lines = (typed: string) => ({
  value: typed
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean),
});

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
        <div class="fields">
          <TextField
            editor={editor}
            path={[...path, "open"]}
            label="Opening hours"
            rows={3}
            parse={lines}
            format={asLines}
            hint="One per line, for example Mo-Fr 09:00-17:30."
          />
          <TextField
            editor={editor}
            path={[...path, "timezone"]}
            label="Time zone"
            parse={timeZone}
            hint="Visitors see the hours in their own time zone."
          />
        </div>
      )}
    </Fragment>
  );
}

function Team({ editor }: { editor: BotDraftEditor }) {
  return (
    <div class="fields">
      <TextField
        editor={editor}
        path={["handoff", "email"]}
        label="E-mail address for notices"
        placeholder="none"
        hint="Needs a mail server in the server's settings (PARLEY_SMTP)."
      />
      <TextField
        editor={editor}
        path={["handoff", "webhook"]}
        label="Webhook for notices"
        placeholder="none"
        hint="Its name in the server's configuration."
      />
    </div>
  );
}
