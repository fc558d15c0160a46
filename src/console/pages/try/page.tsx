import { Fragment, h } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { bots } from "../../bots.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { useDraft } from "../../draft/open-drafts.ts";
import { useKeys } from "../../keys.ts";
import type { PageProps } from "../../page.ts";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/fields.tsx";
import { PageHead, Segments } from "../../parts/page-head.tsx";
import { Empty, Fault, Skeleton } from "../../parts/states.tsx";
import { go, withQuery } from "../../router.ts";
import { Chat } from "./chat.tsx";
import { TryChat, type Versions } from "./exchange.ts";
import { LiveReceipt } from "./live-receipt.tsx";

/** Try it: a chat with a bot that is not stored, with the receipt beside it. */
export default function Page({ params, query }: PageProps) {
  const known = bots.value ?? [];
  const bot = params["bot"] ?? known[0]?.id;
  if (bot === undefined)
    return (
      <Fragment>
        <PageHead title="Try it" />
        {bots.value !== undefined && (
          <Empty title="No bots yet">
            <p>Create a bot to try it here.</p>
            <div class="actions">
              <a class="btn" href="/bots">
                Create a bot
              </a>
            </div>
          </Empty>
        )}
      </Fragment>
    );
  return <TryBot key={bot} bot={bot} query={query} />;
}

const isVersions = (value: string | null): value is Versions =>
  value === "live" || value === "draft" || value === "both";

function TryBot({ bot, query }: { bot: string; query: URLSearchParams }) {
  const { editor, problem, reload } = useDraft(bot);
  const names = bots.value?.map(({ id, name }) => [id, name] as const) ?? [];
  const named = query.get("version");
  const hasDraft = editor?.isChanged.value === true;
  const versions = isVersions(named) && hasDraft ? named : hasDraft ? "both" : "live";
  const chat = useMemo(() => new TryChat(bot), [bot]);
  useEffect(() => () => chat.startOver(), [chat]);
  useKeys([{ key: "r", says: "start over", run: () => chat.startOver() }]);
  return (
    <Fragment>
      <PageHead title="Try it">
        <Select
          label="Bot"
          value={bot}
          options={names}
          onChange={(id) => go(`/try/${encodeURIComponent(id)}`)}
        />
        {editor && hasDraft && <VersionChoice editor={editor} versions={versions} />}
        <span class="grow" />
        <span class="small dim no-phone">Not stored, not counted, not limited.</span>
        <Button keyName="r" onClick={() => chat.startOver()}>
          Start over
        </Button>
      </PageHead>
      {problem && (
        <div class="body">
          <Fault what="The bot could not be loaded" problem={problem} retry={reload} />
        </div>
      )}
      {editor === undefined && problem === undefined && (
        <div class="body">
          <Skeleton what="the bot" lines={["w4", "w9"]} />
        </div>
      )}
      {editor && <Panes editor={editor} chat={chat} versions={versions} asked={query.get("q") ?? ""} />}
    </Fragment>
  );
}

function VersionChoice({ editor, versions }: { editor: BotDraftEditor; versions: Versions }) {
  const live = editor.published.value!.version;
  const options = [
    ["live", `Live, version ${live}`],
    ["draft", `Draft, version ${live + 1}`],
    ["both", "Both"],
  ] as const;
  return (
    <Segments
      label="Version that answers"
      value={versions}
      options={options}
      addressOf={(version) => withQuery({ version })}
    />
  );
}

interface PanesProps {
  editor: BotDraftEditor;
  chat: TryChat;
  versions: Versions;
  /** A message to begin with, as one that a visitor wrote. */
  asked: string;
}

function Panes({ editor, chat, versions, asked }: PanesProps) {
  const [typed, setTyped] = useState(asked);
  const [chosen, setChosen] = useState<number>();
  return (
    <div class="split split-try">
      <Chat
        editor={editor}
        chat={chat}
        versions={versions}
        typed={typed}
        onType={setTyped}
        chosen={chosen}
        onChoose={setChosen}
      />
      <LiveReceipt editor={editor} chat={chat} versions={versions} typed={typed} chosen={chosen} />
    </div>
  );
}
