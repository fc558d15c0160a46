import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { BotIntent } from "../../../domain/bot.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/filters.tsx";
import { Empty } from "../../parts/states.tsx";
import { VisitorText } from "../../parts/visitor-text.tsx";
import { go } from "../../router.ts";
import { nameFault, standingIn } from "../../teach/teaching.ts";
import { count, counted } from "../../words/numbers.ts";
import { addExamples, addIntent, editBot, removeIntent, setField } from "../../yaml/bot-edits.ts";
import { isFields, valueAt } from "../../yaml/plain.ts";
import { pointsAt, TextField, useBotValue, whyFormsOff, write } from "./form.tsx";
import { Overlaps } from "./overlaps.tsx";

type AnIntent = Partial<BotIntent> & { name: string };

function intentsOf(value: unknown): AnIntent[] {
  const intents = valueAt(value, ["intents"]);
  if (!Array.isArray(intents)) return [];
  return intents.filter(
    (intent): intent is AnIntent => isFields(intent) && typeof intent["name"] === "string",
  );
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export function addressOfIntent(bot: string, name?: string): string {
  const base = `/bots/${encodeURIComponent(bot)}/intents`;
  return name === undefined ? base : `${base}/${encodeURIComponent(name)}`;
}

/** Every intent with its examples; which of them are taken for each other; and one that is open. */
export function Intents({ editor, open }: { editor: BotDraftEditor; open: string | undefined }) {
  const intents = intentsOf(useBotValue(editor));
  const at = intents.findIndex(({ name }) => name === open);
  if (at >= 0)
    return (
      <OneIntent
        key={open}
        editor={editor}
        intent={intents[at]!}
        at={at}
        names={intents.map(({ name }) => name)}
      />
    );
  return (
    <Fragment>
      <section class="section" aria-labelledby="h-intents">
        <header>
          <h2 id="h-intents">Intents</h2>
          <NewIntent editor={editor} names={intents.map(({ name }) => name)} />
        </header>
        {intents.length === 0 ? (
          <Empty title="No intents yet">
            <p>An intent is what visitors may ask for, with messages that they might write and an answer.</p>
          </Empty>
        ) : (
          <IntentTable editor={editor} intents={intents} />
        )}
      </section>
      <Overlaps editor={editor} />
    </Fragment>
  );
}

function IntentTable({ editor, intents }: { editor: BotDraftEditor; intents: readonly AnIntent[] }) {
  return (
    <div class="table-wrap" tabIndex={0} role="region" aria-label="The intents of the bot">
      <table class="table">
        <caption class="vh">Intents of the bot</caption>
        <thead>
          <tr>
            <th scope="col">Intent</th>
            <th scope="col" class="wide">
              What “Did you mean” says
            </th>
            <th scope="col">So it is</th>
            <th scope="col" class="num">
              Examples
            </th>
          </tr>
        </thead>
        <tbody>
          {intents.map(({ name, label, examples }, at) => (
            <tr key={name} {...pointsAt(["intents", at])}>
              <th scope="row">
                <a href={addressOfIntent(editor.bot, name)}>
                  <code class="intent">{name}</code>
                </a>
              </th>
              <td>
                {label === undefined ? <span class="faint">its name</span> : <VisitorText text={label} />}
              </td>
              <td>
                <Badge
                  outcome={
                    standingIn(editor.sound.value, name).standing === "allowed" ? "answered" : "refused"
                  }
                />
              </td>
              <td class="num">{count(listOf(examples).length)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NewIntent({ editor, names }: { editor: BotDraftEditor; names: readonly string[] }) {
  const [name, setName] = useState<string>();
  const fault = name === undefined || name === "" ? undefined : nameFault(name, names);
  const add = (event: Event) => {
    event.preventDefault();
    if (name === undefined || nameFault(name, names) !== undefined) return;
    write(editor, addIntent(editor.sound.peek(), { name, examples: [] }));
    setName(undefined);
    go(addressOfIntent(editor.bot, name));
  };
  return (
    <span class="end">
      <Button disabled={whyFormsOff(editor) !== undefined} onClick={() => setName("")}>
        New intent…
      </Button>
      {name !== undefined && (
        <Dialog title="New intent" onClose={() => setName(undefined)}>
          <form class="section" onSubmit={add}>
            <Field label="Name" fault={fault} hint="As orders.status; the part before the dot groups it.">
              {({ id, describedBy }) => (
                <input
                  id={id}
                  class="input"
                  value={name}
                  aria-describedby={describedBy}
                  aria-invalid={fault !== undefined}
                  autofocus
                  spellcheck={false}
                  onInput={(event) => setName(event.currentTarget.value)}
                />
              )}
            </Field>
            <div class="actions">
              <span class="end" />
              <Button onClick={() => setName(undefined)}>Cancel</Button>
              <Button kind="primary" type="submit">
                Add it
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </span>
  );
}

interface OneIntentProps {
  editor: BotDraftEditor;
  intent: AnIntent;
  at: number;
  names: readonly string[];
}

function OneIntent({ editor, intent, at, names }: OneIntentProps) {
  const path = ["intents", at];
  const { standing, by } = standingIn(editor.sound.value, intent.name);
  const remove = () => {
    write(editor, removeIntent(editor.sound.peek(), intent.name));
    go(addressOfIntent(editor.bot));
  };
  const rename = (typed: string) => {
    const fault = nameFault(
      typed,
      names.filter((name) => name !== intent.name),
    );
    return fault === undefined ? { value: typed } : { fault };
  };
  return (
    <Fragment>
      <section class="section" aria-labelledby="h-intent">
        <header>
          <h2 id="h-intent">
            <a class="crumb" href={addressOfIntent(editor.bot)}>
              Intents
            </a>{" "}
            <span class="crumb">/</span> <code class="intent">{intent.name}</code>
          </h2>
          <Badge outcome={standing === "allowed" ? "answered" : "refused"} />
          <span class="faint small">
            {by === undefined ? (standing === "unlisted" ? "in neither list" : "") : `by ${by}`}
          </span>
          <span class="end">
            <Button kind="danger" disabled={whyFormsOff(editor) !== undefined} onClick={remove}>
              Remove it
            </Button>
          </span>
        </header>
        <div class="fields">
          <RenameField editor={editor} at={at} parse={rename} />
          <TextField editor={editor} path={[...path, "label"]} label="What “Did you mean” says" />
          <TextField editor={editor} path={[...path, "description"]} label="What it is about" isWide />
        </div>
      </section>
      <TextList
        editor={editor}
        path={[...path, "responses"]}
        title="Answers, in Markdown"
        one="answer"
        items={listOf(intent.responses)}
        rows={3}
        hint="Several are used in turn. Without one, a model answers where the bot has one."
      />
      <TextList
        editor={editor}
        path={[...path, "examples"]}
        title="Examples"
        one="example"
        items={listOf(intent.examples)}
        hint={`${counted(listOf(intent.examples).length, "example")}; ten or more that differ make a good intent.`}
        onAdd={(text) => addExamples(editor.sound.peek(), intent.name, [text])}
      />
    </Fragment>
  );
}

/** A new name is a new address; it takes effect when the field is left. */
function RenameField({
  editor,
  at,
  parse,
}: {
  editor: BotDraftEditor;
  at: number;
  parse: (typed: string) => { value: string } | { fault: string };
}) {
  const name = String(valueAt(useBotValue(editor), ["intents", at, "name"]));
  const [typed, setTyped] = useState(name);
  const parsed = parse(typed);
  const take = () => {
    if ("fault" in parsed || parsed.value === name) return;
    write(editor, setField(editor.sound.peek(), ["intents", at, "name"], parsed.value));
    go(addressOfIntent(editor.bot, parsed.value), { replace: true });
  };
  return (
    <Field label="Name" fault={"fault" in parsed ? parsed.fault : undefined}>
      {({ id, describedBy }) => (
        <input
          id={id}
          class="input"
          value={typed}
          aria-describedby={describedBy}
          aria-invalid={"fault" in parsed}
          readOnly={whyFormsOff(editor) !== undefined}
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={take}
        />
      )}
    </Field>
  );
}

interface TextListProps {
  editor: BotDraftEditor;
  path: (string | number)[];
  title: string;
  /** What an entry is called. */
  one: string;
  items: readonly string[];
  rows?: number;
  hint: string;
  onAdd?: (text: string) => string | undefined;
}

/** A list of texts: each is edited where it stands; the last, empty one adds. */
function TextList({ editor, path, title, one, items, rows, hint, onAdd }: TextListProps) {
  const [added, setAdded] = useState("");
  const isOff = whyFormsOff(editor) !== undefined;
  const id = `h-${one}`;
  const add = (event: Event) => {
    event.preventDefault();
    if (added.trim() === "") return;
    const append = (text: string) => editBot(editor.sound.peek(), { kind: "append", path, values: [text] });
    write(editor, (onAdd ?? append)(added.trim()));
    setAdded("");
  };
  const remove = (at: number) => {
    const place = items.length === 1 ? path : [...path, at];
    write(editor, editBot(editor.sound.peek(), { kind: "remove", path: place }));
  };
  return (
    <section class="section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <span class="end faint">{hint}</span>
      </header>
      <ol class="text-list">
        {items.map((item, at) => (
          <li key={`${at}-${items.length}`}>
            <TextField
              editor={editor}
              path={[...path, at]}
              label={`${one} ${at + 1}`}
              {...(rows !== undefined && { rows })}
            />
            <Button kind="quiet" disabled={isOff} onClick={() => remove(at)}>
              Remove<span class="vh"> {item}</span>
            </Button>
          </li>
        ))}
      </ol>
      <form class="actions add" onSubmit={add}>
        <input
          class="input"
          aria-label={`Another ${one}`}
          placeholder={`Another ${one}`}
          value={added}
          readOnly={isOff}
          onInput={(event) => setAdded(event.currentTarget.value)}
        />
        <Button type="submit" disabled={isOff || added.trim() === ""}>
          Add
        </Button>
      </form>
    </section>
  );
}
