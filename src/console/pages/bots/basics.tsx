import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import { ask } from "../../api/client.ts";
import { refreshBots } from "../../bots.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { forgetDraft } from "../../draft/open-drafts.ts";
import { GuardedButton, WhyOff } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { go } from "../../router.ts";
import { intentNames } from "../../teach/teaching.ts";
import { say } from "../../toasts.ts";
import { useAction } from "../../use-action.ts";
import { count } from "../../words/numbers.ts";
import { Form } from "./fields.tsx";
import { BY_COMMAS } from "./form.tsx";

const withSeparators = (value: unknown) => (typeof value === "number" ? count(value) : "");

/** Name, limits and the bot's fixed texts. */
export function Basics({ editor }: { editor: BotDraftEditor }) {
  const used = count(editor.published.value!.messages);
  const intents = intentNames(editor.sound.value).map((name) => [name, name] as const);
  return (
    <Fragment>
      <Form
        editor={editor}
        title="Basics"
        fields={[
          { path: ["name"], label: "Name" },
          {
            path: ["monthlyMessageCap"],
            label: "Messages per month",
            isNumber: true,
            format: withSeparators,
            placeholder: "no limit",
            hint: `${used} used this month (UTC).`,
          },
          {
            path: ["allowedDomains"],
            label: "Allowed domains",
            ...BY_COMMAS,
            isWide: true,
            hint: "Separated by commas; * allows every domain.",
          },
          {
            path: ["welcomeMessage"],
            label: "Greeting (Markdown)",
            rows: 2,
            isWide: true,
            hint: "{botName} is replaced by the name.",
          },
          {
            path: ["rateLimit", "capacity"],
            label: "Messages at once, per visitor",
            isNumber: true,
            format: withSeparators,
            placeholder: "the server's default, usually 10",
          },
          {
            path: ["rateLimit", "perMinute"],
            label: "Messages per minute, per visitor",
            isNumber: true,
            format: withSeparators,
            placeholder: "the server's default, usually 20",
          },
          {
            path: ["maxInputLength"],
            label: "Characters per message",
            isNumber: true,
            format: withSeparators,
            placeholder: "4,000",
          },
          {
            path: ["language"],
            label: "Language",
            placeholder: "detected from the examples",
            hint: "For example de or pt-BR.",
          },
          {
            kind: "choice",
            path: ["defaultIntent"],
            label: "Intent for messages that match none",
            options: [["", "none: the bot says that it did not understand"], ...intents],
          },
        ]}
      />
      <Lifecycle editor={editor} />
    </Fragment>
  );
}

/** Turning a bot off and deleting it take effect at once and are not part of the draft. */
function Lifecycle({ editor }: { editor: BotDraftEditor }) {
  const [isAsking, setIsAsking] = useState(false);
  const { enabled, name } = editor.published.value!;
  const setEnabled = async (isOn: boolean) => {
    await ask("PATCH /bots/:bot", { path: { bot: editor.bot }, body: { enabled: isOn } });
    await editor.refresh();
    say(isOn ? `${name} is on.` : `${name} is off: its widget no longer loads.`, {
      says: "Undo",
      run: () => setEnabled(!isOn),
      bot: editor.bot,
      what: "enabled",
    });
    await refreshBots();
  };
  const switching = useAction(setEnabled, "Not changed");
  return (
    <section class="section" aria-labelledby="h-life">
      <header>
        <h2 id="h-life">Danger zone</h2>
      </header>
      <div class="actions">
        <GuardedButton
          permission="bots.write"
          disabled={switching.isBusy}
          onClick={() => switching.run(!enabled)}
        >
          {enabled ? "Turn this bot off" : "Turn this bot on"}
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
    await ask("DELETE /bots/:bot", { path: { bot: editor.bot } });
    forgetDraft(editor.bot);
    go("/bots", { replace: true });
    say(`${name} is deleted.`);
    await refreshBots();
  };
  return (
    <Confirm title={`Delete ${name}?`} does="Delete" fault="Not deleted" onConfirm={erase} onClose={onClose}>
      Its versions, draft, documents and conversations with their receipts are erased. The audit records that
      you did it. This cannot be undone.
    </Confirm>
  );
}
