import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { takeBack } from "../../draft/open-drafts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Input } from "../../parts/fields.tsx";
import { go, place } from "../../router.ts";
import { keptStanding, type Renaming, renamingOf } from "../../teach/renaming.ts";
import { nameFault } from "../../teach/teaching.ts";
import { say } from "../../toasts.ts";
import { whyFormsOff, write } from "./form.tsx";
import { addressOfIntent } from "./settings.ts";

interface RenameFieldProps {
  editor: BotDraftEditor;
  name: string;
  /** Names of the other intents. */
  others: readonly string[];
}

/**
 * The name field of an intent. Leaving the field renames the intent everywhere in the bot. If the profile would treat the new name
 * differently, a dialog asks first.
 */
export function RenameField({ editor, name, others }: RenameFieldProps) {
  const [typed, setTyped] = useState(name);
  const [asked, setAsked] = useState<Renaming>();
  const fault = nameFault(typed, others);
  const take = () => {
    if (fault !== undefined || typed === name) return;
    const renaming = renamingOf(editor.sound.peek(), name, typed);
    if (renaming === undefined) write(editor, undefined);
    else if (renaming.was.standing === renaming.becomes.standing) rename(editor, renaming, renaming.text);
    else setAsked(renaming);
  };
  const close = () => {
    setAsked(undefined);
    setTyped(name);
  };
  return (
    <Fragment>
      <Input
        label="Name"
        fault={fault}
        value={typed}
        readOnly={whyFormsOff(editor) !== undefined}
        spellcheck={false}
        onType={setTyped}
        onChange={take}
      />
      {asked && (
        <OtherStanding renaming={asked} onRename={(text) => rename(editor, asked, text)} onClose={close} />
      )}
    </Fragment>
  );
}

/** A new name has a new address. */
function rename(editor: BotDraftEditor, { from, to }: Renaming, text: string): void {
  const [before, after] = [addressOfIntent(editor.bot, from), addressOfIntent(editor.bot, to)];
  const step = editor.edit(text);
  go(after, { replace: true });
  const run = () => {
    if (takeBack(editor, step) && place.peek().path === after) go(before, { replace: true });
  };
  say(`${from} is now called ${to} everywhere in this bot.`, { says: "Undo", run });
}

interface OtherStandingProps {
  renaming: Renaming;
  onRename: (text: string) => void;
  onClose: () => void;
}

/** Asks how to rename an intent that the profile would treat differently. The default button keeps its status. */
function OtherStanding({ renaming, onRename, onClose }: OtherStandingProps) {
  const { from, to, text, was, becomes } = renaming;
  const kept = keptStanding(renaming);
  return (
    <Dialog title={`Rename ${from} to ${to}?`} onClose={onClose}>
      <p>
        It is now <Standing {...was} />. With the new name it would be <Standing {...becomes} />.
      </p>
      <div class="actions">
        <span class="end" />
        <Button onClick={onClose} autofocus={kept === undefined}>
          Cancel
        </Button>
        <Button onClick={() => onRename(text)}>{RENAME_AND[becomes.standing]}</Button>
        {kept !== undefined && (
          <Button kind="primary" onClick={() => onRename(kept)} autofocus>
            {KEEP[was.standing]}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const RENAME_AND = {
  allowed: "Rename and allow it",
  denied: "Rename and deny it",
  unlisted: "Rename, on neither list",
} as const;

const KEEP = { allowed: "Keep it allowed", denied: "Keep it denied", unlisted: "Keep it refused" } as const;

function Standing({ standing, by }: Renaming["was"]) {
  if (standing === "unlisted") return <b>on neither list, and refused</b>;
  return (
    <Fragment>
      <b>{standing}</b>
      {by !== undefined && (
        <Fragment>
          {" "}
          by <code class="intent">{by}</code>
        </Fragment>
      )}
    </Fragment>
  );
}
