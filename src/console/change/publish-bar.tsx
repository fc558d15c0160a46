import { h } from "preact";

import type { PublishPreview } from "../../domain/operator/bots.ts";
import { session } from "../api/connection.ts";
import { Problem } from "../api/problem.ts";
import { refreshBots } from "../bots.ts";
import type { BotDraftEditor, Published } from "../draft/bot-draft.ts";
import type { LiveWork } from "../draft/live-work.ts";
import { wayBack } from "../draft/open-drafts.ts";
import { CONTROL_ENTER, useKeys } from "../keys.ts";
import { Button, GuardedButton, WhyOff, whyOff } from "../parts/button.tsx";
import { attempt, say } from "../toasts.ts";
import { milliseconds } from "../words/numbers.ts";
import { publishAsking } from "./accept-faults.tsx";
import { whyNotYet } from "./guard.ts";

interface PublishBarProps {
  editor: BotDraftEditor;
  preview: LiveWork<PublishPreview>;
  ticks: ReadonlySet<string>;
  /** Called after publishing. @returns a function that undoes its own effects. */
  onPublished?: (yaml: string) => Promise<() => Promise<void>>;
}

/** Publishing asks no further question, because the preview above shows the effects and a publication can be undone with one click. */
export function PublishBar({ editor, preview, ticks, onPublished }: PublishBarProps) {
  const isPublishing = editor.isPublishing.value;
  const version = (editor.published.value?.version ?? 0) + 1;
  const reason =
    editor.clash.value === undefined
      ? whyNotYet(preview.result.value, {
          isOld: preview.isOld.value,
          isChanged: editor.isChanged.value,
          ticks,
        })
      : "This bot was changed elsewhere. Choose above what to do with your changes.";
  const mayPublish = reason === undefined && !isPublishing && whyOff("bots.write") === undefined;
  const publish = () => {
    // A second press may come before the button is redrawn as disabled.
    if (mayPublish && !editor.isPublishing.peek())
      void attempt("Not published", () => publishDraft(editor, onPublished));
  };
  useKeys([{ key: "Control+Enter", says: "publish", run: publish }]);
  return (
    <div class="publish">
      <span class="what" id="why-not-yet">
        {reason ?? "Usually live within a second. It can be undone with one click."}
      </span>
      <WhyOff permission="bots.write" />
      {editor.isChanged.value && <DiscardButton editor={editor} />}
      <GuardedButton
        permission="bots.write"
        kind="primary"
        keyName={CONTROL_ENTER}
        disabled={!mayPublish}
        onClick={publish}
      >
        {isPublishing ? "Publishing …" : `Publish version ${version}`}
      </GuardedButton>
    </div>
  );
}

/** Discards the draft. It asks nothing, because it can be undone like any edit. */
function DiscardButton({ editor }: { editor: BotDraftEditor }) {
  const discard = () => {
    const step = editor.edit(editor.published.peek()!.yaml);
    say("The draft is discarded.", wayBack(editor, step));
  };
  return (
    <Button kind="quiet" onClick={discard} disabled={whyOff("bots.write") !== undefined}>
      Discard the draft
    </Button>
  );
}

async function publishDraft(
  editor: BotDraftEditor,
  onPublished: PublishBarProps["onPublished"],
): Promise<void> {
  const yaml = editor.text.peek();
  const from = performance.now();
  const published = await publishAsking((acceptFaults) => editor.publish(acceptFaults));
  if (published === undefined) throw overtaken(editor);
  if (published === "declined") return;
  const took = performance.now() - from;
  let undoBeside: (() => Promise<void>) | undefined;
  await attempt("The version is live, but the taught messages are still listed", async () => {
    undoBeside = await onPublished?.(yaml);
  });
  say(`Version ${published.now.version} is live after ${milliseconds(took)}.`, {
    says: "Undo",
    run: () => takeBackPublication(editor, published, undoBeside),
    bot: editor.bot,
    what: "version",
  });
  await refreshBots();
}

/** Publishes the earlier version again. The undone version, with later edits, becomes the draft, so nothing is lost. */
async function takeBackPublication(
  editor: BotDraftEditor,
  published: Published,
  undoBeside: (() => Promise<void>) | undefined,
): Promise<void> {
  const now = await publishAsking((acceptFaults) => editor.takeBackPublication(published, acceptFaults));
  if (now === "declined") return;
  if (now === undefined) throw overtaken(editor, " Any version can be restored under Versions.");
  await undoBeside?.();
  say(
    `Undone: version ${now.version} has the text of version ${published.before}. Your changes are a draft again.`,
  );
  await refreshBots();
}

/** The author of a change; one's own was made in another window. */
const who = (name: string) => (name === session.value?.operator.name ? "You, in another window," : name);

/** The problem that a colleague's change prevented a publication: a publication or a change of the draft. */
function overtaken(editor: BotDraftEditor, remedy = ""): Problem {
  const clash = editor.clash.peek();
  const { publishedBy, version } = editor.published.peek()!;
  const what =
    clash?.kind === "draft"
      ? `${who(clash.by)} changed the draft in the meantime.`
      : `${who(publishedBy)} published version ${version} in the meantime.`;
  return new Problem({ status: 412, code: "OVERTAKEN", detail: what + remedy });
}
