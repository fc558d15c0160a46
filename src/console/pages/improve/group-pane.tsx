import { h } from "preact";

import type { ImproveGroup } from "../../../domain/operator/improve.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { takeBack } from "../../draft/open-drafts.ts";
import { useKeys } from "../../keys.ts";
import { GuardedButton, WhyOff, whyOff } from "../../parts/button.tsx";
import { Notice } from "../../parts/states.tsx";
import { VisitorText } from "../../parts/text.tsx";
import { outOfScope } from "../../teach/teaching.ts";
import { counted } from "../../words/numbers.ts";
import { Belonging } from "./belonging.tsx";
import { addressOfGroup } from "./group-list.tsx";
import { setGroupAside } from "./set-aside.ts";
import { useTeaching } from "./use-teaching.ts";
import { Wordings } from "./wordings.tsx";

interface GroupPaneProps {
  group: ImproveGroup;
  editor: BotDraftEditor;
  groups: number;
  /** Goes on to the next group. */
  onDone: () => void;
}

/** One group: its messages and their intent. */
export function GroupPane({ group, editor, groups, onDone }: GroupPaneProps) {
  const teaching = useTeaching(group, editor);
  const { chosen } = teaching;
  const mayWrite = whyOff("bots.write") === undefined;
  const mayLeaveOut = mayWrite && chosen.length > 0;
  const leaveOut = () => {
    const tested = outOfScope(teaching.base, chosen);
    const step = tested === undefined ? undefined : editor.edit(tested);
    const said = `Marked as out of scope, with ${counted(chosen.length, "test")} added to the draft.`;
    void setGroupAside(group, "out-of-scope", said, () => step && takeBack(editor, step));
    onDone();
  };
  const ignore = () => {
    void setGroupAside(group, "ignore", "Ignored.");
    onDone();
  };
  useKeys([
    { key: "o", says: "out of scope", run: () => mayLeaveOut && leaveOut() },
    { key: "i", says: "ignore", run: () => mayWrite && ignore() },
    { key: "x", says: "choose", run: chooseNext },
  ]);
  return (
    <section class="pane" aria-labelledby="h-group" tabIndex={0}>
      <a class="only-phone small" href={addressOfGroup(undefined)}>
        ← {counted(groups, "group")}
      </a>
      <div class="pane-head">
        <h2 id="h-group">
          “<VisitorText text={group.messages[0]?.text ?? ""} />”
        </h2>
        <span class="row-actions end">
          <GuardedButton
            permission="bots.write"
            kind="quiet"
            keyName="o"
            onClick={leaveOut}
            disabled={chosen.length === 0}
          >
            Out of scope
          </GuardedButton>
          <GuardedButton permission="bots.write" kind="quiet" keyName="i" onClick={ignore}>
            Ignore
          </GuardedButton>
        </span>
      </div>
      <p class="small faint">
        Out of scope: the bot should not answer these, and tests in the draft say so. Ignore: they leave this
        list.
      </p>
      <WhyOff permission="bots.write" />
      {(group.kind === "unhelpful" || group.kind === "wrong") && <ChangeTheAnswer group={group} />}
      <Wordings group={group} chosen={chosen} onChoose={teaching.choose} />
      {editor.isSound.value ? (
        <Belonging group={group} teaching={teaching} />
      ) : (
        <Notice kind="look" title="The YAML of the draft has an error">
          <p>
            <a href={`/bots/${encodeURIComponent(group.bot)}/intents`}>Correct it in the YAML</a>, then
            continue here.
          </p>
        </Notice>
      )}
    </section>
  );
}

/** If an answer did not help or is wrong, often the answer has to change rather than the intent. */
function ChangeTheAnswer({ group: { bot, intent } }: { group: ImproveGroup }) {
  if (intent === null) return null;
  if (intent === "knowledge")
    return (
      <p class="dim">
        Answered from the documents.{" "}
        <a href={`/bots/${encodeURIComponent(bot)}/knowledge`}>Change the document</a>, or choose an intent
        below.
      </p>
    );
  return (
    <p class="dim">
      Answered as <code class="intent">{intent}</code>.{" "}
      <a href={`/bots/${encodeURIComponent(bot)}/intents/${encodeURIComponent(intent)}`}>Change the answer</a>
      , or choose another intent below.
    </p>
  );
}

/** Moves the focus to the next wording, so that the space bar selects it. */
function chooseNext(): void {
  const picks = Array.from(document.querySelectorAll<HTMLInputElement>("[data-pick]"));
  const at = picks.indexOf(document.activeElement as HTMLInputElement);
  if (at >= 0) picks[at]!.click();
  (picks[at + 1] ?? picks[0])?.focus();
}
