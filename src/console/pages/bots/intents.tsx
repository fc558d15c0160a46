import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import { intentNameInWords } from "../../../domain/intent-pattern.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { FormDialog } from "../../parts/dialog.tsx";
import { Input } from "../../parts/fields.tsx";
import { Empty } from "../../parts/states.tsx";
import { TableFrame } from "../../parts/table.tsx";
import { VisitorText } from "../../parts/text.tsx";
import { go } from "../../router.ts";
import { nameFault, standingIn } from "../../teach/teaching.ts";
import { count } from "../../words/numbers.ts";
import { addIntent } from "../../yaml/bot-edits.ts";
import { pointsAt, useBotValue, whyFormsOff, write } from "./form.tsx";
import { OneIntent } from "./one-intent.tsx";
import { Overlaps } from "./overlaps.tsx";
import { addressOfIntent, type AnIntent, intentsOf, listOf } from "./settings.ts";

/** All intents with their examples, the pairs that are mistaken for each other, and the open intent. */
export function Intents({ editor, open }: { editor: BotDraftEditor; open: string | undefined }) {
  const intents = intentsOf(useBotValue(editor));
  const intent = intents.find(({ name }) => name === open);
  if (intent !== undefined)
    return <OneIntent key={open} editor={editor} intent={intent} names={intents.map(({ name }) => name)} />;
  return (
    <Fragment>
      <section class="section" aria-labelledby="h-intents">
        <header>
          <h2 id="h-intents">Intents</h2>
          <NewIntent editor={editor} names={intents.map(({ name }) => name)} />
        </header>
        {intents.length === 0 ? (
          <Empty title="No intents yet">
            <p>An intent is something that visitors ask for. It has example messages and an answer.</p>
          </Empty>
        ) : (
          <IntentTable editor={editor} intents={intents} />
        )}
      </section>
      {intents.length > 1 && <Overlaps editor={editor} />}
    </Fragment>
  );
}

function IntentTable({ editor, intents }: { editor: BotDraftEditor; intents: readonly AnIntent[] }) {
  return (
    <TableFrame
      label="The intents of the bot"
      heads={{ Intent: "", "Label in “Did you mean”": "wide", Status: "", Examples: "num" }}
    >
      {intents.map(({ name, label, examples, at }) => (
        <tr key={name} {...pointsAt(["intents", at])}>
          <th scope="row">
            <a href={addressOfIntent(editor.bot, name)}>
              <code class="intent">{name}</code>
            </a>
          </th>
          <td>
            <VisitorText text={label ?? intentNameInWords(name)} />
          </td>
          <td>
            {standingIn(editor.sound.value, name).standing === "allowed" ? (
              <Badge outcome="answered" says="Allowed" />
            ) : (
              <Badge outcome="refused" />
            )}
          </td>
          <td class="num">{count(listOf(examples).length)}</td>
        </tr>
      ))}
    </TableFrame>
  );
}

function NewIntent({ editor, names }: { editor: BotDraftEditor; names: readonly string[] }) {
  const [name, setName] = useState<string>();
  const close = () => setName(undefined);
  const add = (named: string) => {
    write(editor, addIntent(editor.sound.peek(), { name: named, examples: [] }));
    close();
    go(addressOfIntent(editor.bot, named));
  };
  return (
    <span class="end">
      <Button disabled={whyFormsOff(editor) !== undefined} onClick={() => setName("")}>
        New intent…
      </Button>
      {name !== undefined && (
        <FormDialog
          title="New intent"
          fault="The intent was not added"
          does="Add"
          isReady={nameFault(name, names) === undefined}
          onSubmit={() => add(name)}
          onClose={close}
        >
          <Input
            label="Name"
            fault={name === "" ? undefined : nameFault(name, names)}
            hint="For example orders.status. The part before the dot is its group."
            value={name}
            autofocus
            spellcheck={false}
            onType={setName}
          />
        </FormDialog>
      )}
    </span>
  );
}
