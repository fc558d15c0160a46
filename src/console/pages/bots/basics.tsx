import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import { ask } from "../../api/client.ts";
import { asProblem } from "../../api/resource.ts";
import { refreshBots } from "../../bots.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { forgetDraft } from "../../draft/open-drafts.ts";
import { GuardedButton, WhyOff } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { go } from "../../router.ts";
import { intentNames } from "../../teach/teaching.ts";
import { say, sayFault } from "../../toasts.ts";
import { count } from "../../words/numbers.ts";
import { ChoiceField, commaSeparated, TextField, wholeNumber } from "./form.tsx";

const asList = (value: unknown) => (Array.isArray(value) ? value.join(", ") : "");

/** Name, limits, and what the bot says by itself. */
export function Basics({ editor }: { editor: BotDraftEditor }) {
  const { messages } = editor.published.value!;
  const intents = intentNames(editor.sound.value).map((name) => [name, name] as const);
  return (
    <Fragment>
      <section class="section" aria-labelledby="h-basics">
        <header>
          <h2 id="h-basics">Basics</h2>
        </header>
        <div class="fields">
          <TextField editor={editor} path={["name"]} label="Name" />
          <TextField
            editor={editor}
            path={["monthlyMessageCap"]}
            label="Messages a month, at most"
            type="number"
            parse={wholeNumber}
            format={(value) => (typeof value === "number" ? count(value) : "")}
            placeholder="no limit"
            hint={`${count(messages)} used this month; the month is UTC.`}
          />
          <TextField
            editor={editor}
            path={["allowedDomains"]}
            label="Where the widget may stand"
            parse={commaSeparated}
            format={asList}
            isWide
            hint="Domains with commas between them; * is anywhere."
          />
          <TextField
            editor={editor}
            path={["welcomeMessage"]}
            label="Welcome, in Markdown"
            rows={2}
            isWide
            hint="{botName} becomes the name."
          />
          <TextField
            editor={editor}
            path={["rateLimit", "capacity"]}
            label="Messages a visitor may send at once"
            type="number"
            parse={wholeNumber}
          />
          <TextField
            editor={editor}
            path={["rateLimit", "perMinute"]}
            label="Messages a minute that a visitor regains"
            type="number"
            parse={wholeNumber}
          />
          <TextField
            editor={editor}
            path={["maxInputLength"]}
            label="Characters that a message may have"
            type="number"
            parse={wholeNumber}
            placeholder="4,000"
          />
          <TextField
            editor={editor}
            path={["language"]}
            label="Language"
            placeholder="found from the examples"
            hint="As de or pt-BR."
          />
          <ChoiceField
            editor={editor}
            path={["defaultIntent"]}
            label="What nothing matches is answered as"
            options={[["", "nothing: the bot says that it did not understand"], ...intents]}
          />
        </div>
      </section>
      <Lifecycle editor={editor} />
    </Fragment>
  );
}

/** On, off, and gone: these count at once, and are no part of the draft. */
function Lifecycle({ editor }: { editor: BotDraftEditor }) {
  const [isAsking, setIsAsking] = useState(false);
  const { enabled, name } = editor.published.value!;
  const setEnabled = async (isOn: boolean) => {
    try {
      await ask("PATCH /bots/:bot", { path: { bot: editor.bot }, body: { enabled: isOn } });
      await editor.refresh();
      say(isOn ? `${name} is on.` : `${name} is off: its widget is not found any more.`, {
        says: "Take it back",
        run: () => setEnabled(!isOn),
      });
      await refreshBots();
    } catch (error) {
      sayFault(`It was not changed: ${asProblem(error).message}`);
    }
  };
  return (
    <section class="section" aria-labelledby="h-life">
      <header>
        <h2 id="h-life">On, off and gone</h2>
      </header>
      <div class="actions">
        <GuardedButton permission="bots.write" onClick={() => setEnabled(!enabled)}>
          {enabled ? "Switch it off" : "Switch it on"}
        </GuardedButton>
        <GuardedButton permission="bots.delete" kind="danger" onClick={() => setIsAsking(true)}>
          Delete this bot…
        </GuardedButton>
      </div>
      <WhyOff permission="bots.delete" />
      {isAsking && <DeleteDialog editor={editor} onClose={() => setIsAsking(false)} />}
    </section>
  );
}

function DeleteDialog({ editor, onClose }: { editor: BotDraftEditor; onClose: () => void }) {
  const { name } = editor.published.value!;
  const erase = async () => {
    try {
      await ask("DELETE /bots/:bot", { path: { bot: editor.bot } });
      forgetDraft(editor.bot);
      go("/bots", { replace: true });
      say(`${name} is deleted.`);
      await refreshBots();
    } catch (error) {
      onClose();
      sayFault(`It was not deleted: ${asProblem(error).message}`);
    }
  };
  return (
    <Confirm title={`Delete ${name}?`} does="Delete for good" onConfirm={erase} onClose={onClose}>
      Its versions, draft and documents are erased, and so are its conversations with their receipts. The
      audit will say that you did it. This cannot be taken back.
    </Confirm>
  );
}
