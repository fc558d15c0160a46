import { h } from "preact";
import { useState } from "preact/hooks";

import { asProblem } from "../api/resource.ts";
import { refreshBots } from "../bots.ts";
import type { BotDraftEditor } from "../draft/bot-draft.ts";
import type { LivePreview } from "../draft/live-preview.ts";
import { useKeys } from "../keys.ts";
import { Button, GuardedButton, WhyOff, whyOff } from "../parts/button.tsx";
import { say, sayFault } from "../toasts.ts";
import { milliseconds } from "../words/numbers.ts";
import { whyNotYet } from "./ticks.ts";

interface PublishBarProps {
  editor: BotDraftEditor;
  preview: LivePreview;
  ticks: ReadonlySet<string>;
  /** After it was published. @returns what takes back what this did beside it. */
  onPublished?: (yaml: string) => Promise<() => Promise<void>>;
}

/** Publishing asks nothing more: the preview above was the question, and one click takes it back. */
export function PublishBar({ editor, preview, ticks, onPublished }: PublishBarProps) {
  const [isPublishing, setIsPublishing] = useState(false);
  const version = (editor.published.value?.version ?? 0) + 1;
  const reason =
    editor.clash.value === undefined
      ? whyNotYet(preview.result.value, {
          isOld: preview.isOld.value,
          isChanged: editor.isChanged.value,
          ticks,
        })
      : "Somebody else changed it: settle that first.";
  const mayPublish = reason === undefined && !isPublishing && whyOff("bots.write") === undefined;
  const publish = async () => {
    setIsPublishing(true);
    await publishDraft(editor, onPublished);
    setIsPublishing(false);
  };
  useKeys([{ key: "Control+Enter", says: "publish", run: () => mayPublish && void publish() }]);
  return (
    <div class="publish">
      <span class="what" id="why-not-yet">
        {reason ?? "Live within a second; one click takes it back."}
      </span>
      <WhyOff permission="bots.write" />
      {editor.isChanged.value && <DiscardButton editor={editor} />}
      <GuardedButton
        permission="bots.write"
        kind="primary"
        keyName="Ctrl ↵"
        disabled={!mayPublish}
        onClick={publish}
      >
        {isPublishing ? "Publishing …" : `Publish version ${version}`}
      </GuardedButton>
    </div>
  );
}

/** Leaves what was edited. It can be taken back like any step, so that nothing is asked. */
function DiscardButton({ editor }: { editor: BotDraftEditor }) {
  const discard = () => {
    const before = editor.text.peek();
    editor.edit(editor.published.peek()!.yaml);
    say("The draft is left.", { says: "Take it back", run: () => editor.edit(before) });
  };
  return (
    <Button kind="quiet" onClick={discard} disabled={whyOff("bots.write") !== undefined}>
      Leave the draft
    </Button>
  );
}

async function publishDraft(
  editor: BotDraftEditor,
  onPublished: PublishBarProps["onPublished"],
): Promise<void> {
  const yaml = editor.text.peek();
  const from = performance.now();
  try {
    const published = await editor.publish();
    if (published === undefined) return;
    const took = performance.now() - from;
    const undoBeside = await onPublished?.(yaml);
    const { before, now } = published;
    say(`Version ${now.version} is live, after ${milliseconds(took)}.`, {
      says: "Take it back",
      run: () => takeBack(editor, before, yaml, undoBeside),
    });
    await refreshBots();
  } catch (error) {
    sayFault(`It was not published: ${asProblem(error).message}`);
  }
}

/** The version before is live again; what was published is a draft again, so that nothing is lost. */
async function takeBack(
  editor: BotDraftEditor,
  version: number,
  yaml: string,
  undoBeside: (() => Promise<void>) | undefined,
): Promise<void> {
  try {
    const now = await editor.restore(version);
    if (now === undefined) return;
    editor.edit(yaml);
    await Promise.all([editor.settle(), undoBeside?.()]);
    say(`Taken back: version ${now.version} is version ${version} again. Your changes are a draft.`);
    await refreshBots();
  } catch (error) {
    sayFault(`It could not be taken back: ${asProblem(error).message}`);
  }
}
