import { Fragment, h } from "preact";

import { intentNameInWords } from "../../../domain/intent-pattern.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { go } from "../../router.ts";
import { standingIn } from "../../teach/teaching.ts";
import { counted } from "../../words/numbers.ts";
import { addExamples, removeIntent } from "../../yaml/bot-edits.ts";
import { Action, ActionSwitch } from "./action.tsx";
import { Fields } from "./fields.tsx";
import { isSwitchedOn, SwitchField } from "./form-checks.tsx";
import { whyFormsOff, write } from "./form.tsx";
import { RenameField } from "./rename-field.tsx";
import { addressOfIntent, type AnIntent, listOf } from "./settings.ts";
import { TextList } from "./text-list.tsx";

interface OneIntentProps {
  editor: BotDraftEditor;
  intent: AnIntent;
  names: readonly string[];
}

/** Form for one intent: name, answers, examples and follow-up questions. */
export function OneIntent({ editor, intent, names }: OneIntentProps) {
  const { at } = intent;
  const path = ["intents", at];
  const { standing, by } = standingIn(editor.sound.value, intent.name);
  const remove = () => {
    write(editor, removeIntent(editor.sound.peek(), intent.name));
    go(addressOfIntent(editor.bot));
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
            {by !== undefined && `by ${by}`}
            {standing === "unlisted" && (
              <Fragment>
                until it is allowed in the{" "}
                <a href={`/bots/${encodeURIComponent(editor.bot)}/profile`}>capability profile</a>
              </Fragment>
            )}
          </span>
          <span class="end">
            <Button kind="danger" disabled={whyFormsOff(editor) !== undefined} onClick={remove}>
              Remove intent
            </Button>
          </span>
        </header>
        <Fields
          editor={editor}
          fields={[
            <RenameField
              key="name"
              editor={editor}
              name={intent.name}
              others={names.filter((name) => name !== intent.name)}
            />,
            {
              path: [...path, "label"],
              label: "Label in “Did you mean”",
              placeholder: intentNameInWords(intent.name),
            },
            { path: [...path, "description"], label: "Description", isWide: true },
          ]}
        />
        <SwitchField
          editor={editor}
          path={[...path, "handoff"]}
          label="Offer a person below the answer"
          on={true}
        />
        <ActionSwitch editor={editor} path={path} intent={intent} />
      </section>
      {isSwitchedOn(intent.action) ? (
        <Action editor={editor} path={path} />
      ) : (
        <TextList
          editor={editor}
          path={[...path, "responses"]}
          title="Answers (Markdown)"
          one="answer"
          items={listOf(intent.responses)}
          rows={3}
          hint="Several answers take turns. Without an answer, a model answers if the bot has one."
        />
      )}
      <TextList
        editor={editor}
        path={[...path, "next"]}
        title="Follow-up questions"
        one="follow-up question"
        items={listOf(intent.next)}
        hint="Intents or texts, shown as buttons below the answer."
      />
      <TextList
        editor={editor}
        path={[...path, "examples"]}
        title="Examples"
        one="example"
        items={listOf(intent.examples)}
        hint={`${counted(listOf(intent.examples).length, "example")}; five are enough to begin with, ten are better.`}
        onAdd={(text) => addExamples(editor.sound.peek(), intent.name, [text])}
      />
    </Fragment>
  );
}
