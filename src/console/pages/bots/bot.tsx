import { Fragment, h } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { ChangePane, ClashNotice, SaveFault } from "../../change/change-pane.tsx";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { useDraft } from "../../draft/open-drafts.ts";
import { CONTROL_ENTER, useKeys } from "../../keys.ts";
import { Badge, Tag } from "../../parts/badge.tsx";
import { Button, WhyOff } from "../../parts/button.tsx";
import { copyText } from "../../parts/copyable.tsx";
import { Empty, Fault, Notice, Skeleton } from "../../parts/states.tsx";
import { go } from "../../router.ts";
import { intentNames } from "../../teach/teaching.ts";
import { mayUndoLast, say, sayFault } from "../../toasts.ts";
import { nameWindow } from "../../waiting-visitors.ts";
import { count } from "../../words/numbers.ts";
import { valueAt } from "../../yaml/plain.ts";
import { Basics } from "./basics.tsx";
import { pointedAt, useBotValue } from "./form.tsx";
import { Handoff } from "./handoff.tsx";
import { Intents } from "./intents.tsx";
import { Knowledge } from "./knowledge.tsx";
import { Profile } from "./profile.tsx";
import { Tests } from "./tests.tsx";
import { Theme } from "./theme.tsx";
import { Versions } from "./versions.tsx";
import { YamlPane } from "./yaml-pane.tsx";

const TABS = [
  ["basics", "Basics"],
  ["profile", "Capability profile"],
  ["intents", "Intents"],
  ["tests", "Tests"],
  ["knowledge", "Documents"],
  ["handoff", "Hand-off"],
  ["theme", "Theme"],
  ["versions", "Versions"],
  ["changes", "Changes"],
] as const;

type Tab = (typeof TABS)[number][0];

interface BotPageProps {
  bot: string;
  tab: string | undefined;
  /** The rest of the address: an intent's name, or two versions. */
  rest: string | undefined;
}

const addressOfTab = (bot: string, tab: Tab) => `/bots/${encodeURIComponent(bot)}/${tab}`;

/** The page of one bot: forms on one side, YAML on the other, both for the same draft. */
export function BotPage({ bot, tab: named, rest }: BotPageProps) {
  const { editor, problem, reload } = useDraft(bot);
  const tab = TABS.find(([each]) => each === named)?.[0] ?? "basics";
  useEffect(() => {
    pointedAt.value = undefined;
  }, [bot, tab]);
  useKeys([
    {
      key: "z",
      says: "undo",
      run: () => !mayUndoLast() && editor?.undo() === true,
    },
  ]);
  if (problem !== undefined)
    return (
      <NoBot
        bot={bot}
        fault={<Fault what="The bot could not be loaded" problem={problem} retry={reload} />}
        isMissing={problem.status === 404}
      />
    );
  if (editor === undefined)
    return (
      <div class="body top">
        <Skeleton what="the bot" lines={["w4", "w9", "tall", "w9", "w6"]} />
      </div>
    );
  const Part = tab === "changes" ? undefined : PARTS[tab];
  return (
    <Fragment>
      <Head editor={editor} tab={tab} />
      <Tabs editor={editor} tab={tab} />
      {Part === undefined ? (
        <div class="split">
          <section class="pane quiet" aria-label="Changes">
            <ChangePane editor={editor} empty={<NothingChanged />} />
          </section>
        </div>
      ) : (
        <div class="split split-bot">
          <div class="pane roomy">
            <ClashNotice editor={editor} />
            <SaveFault editor={editor} />
            <Seeded editor={editor} />
            <FormState editor={editor} />
            <Part editor={editor} rest={rest} />
          </div>
          <YamlPane editor={editor} />
        </div>
      )}
    </Fragment>
  );
}

interface PartProps {
  editor: BotDraftEditor;
  rest: string | undefined;
}

const PARTS: Readonly<Record<Exclude<Tab, "changes">, (props: PartProps) => h.JSX.Element>> = {
  basics: ({ editor }) => <Basics editor={editor} />,
  profile: ({ editor }) => <Profile editor={editor} />,
  intents: ({ editor, rest }) => <Intents editor={editor} open={rest} />,
  tests: ({ editor }) => <Tests editor={editor} />,
  knowledge: ({ editor }) => <Knowledge bot={editor.bot} />,
  handoff: ({ editor }) => <Handoff editor={editor} />,
  theme: ({ editor }) => <Theme editor={editor} />,
  versions: ({ editor, rest }) => <Versions editor={editor} range={rest} />,
};

function Head({ editor, tab }: { editor: BotDraftEditor; tab: Tab }) {
  const { name, version, enabled } = editor.published.value!;
  useEffect(() => {
    nameWindow(name);
  }, [name]);
  const changes = addressOfTab(editor.bot, "changes");
  useKeys(
    tab === "changes" ? [] : [{ key: "Control+Enter", says: "show the changes", run: () => go(changes) }],
  );
  const isChanged = editor.isChanged.value;
  return (
    <div class="page-head">
      <h1>
        <a class="crumb" href="/bots">
          Bots
        </a>{" "}
        <span class="crumb" aria-hidden="true">
          /
        </span>{" "}
        <bdi dir="auto">{name}</bdi>
      </h1>
      {enabled ? (
        <Badge outcome="answered" says={`Live, version ${version}`} />
      ) : (
        <Tag>off, version {version}</Tag>
      )}
      {isChanged && <Tag>draft {version + 1}</Tag>}
      <span class="grow" />
      <a class="btn" href={`/try/${encodeURIComponent(editor.bot)}?version=${isChanged ? "both" : "live"}`}>
        {isChanged ? "Try the draft" : "Try it"}
      </a>
      {tab !== "changes" && (
        <a class="btn btn-primary" href={changes}>
          Show the changes <kbd>{CONTROL_ENTER}</kbd>
        </a>
      )}
    </div>
  );
}

function Tabs({ editor, tab }: { editor: BotDraftEditor; tab: Tab }) {
  const tabs = useRef<HTMLElement>(null);
  // On a narrow screen the tabs scroll sideways; scrolls the current one into view.
  useEffect(() => {
    const current = tabs.current!.querySelector<HTMLElement>("[aria-current]");
    const { clientWidth } = tabs.current!;
    if (current) tabs.current!.scrollLeft = current.offsetLeft - (clientWidth - current.offsetWidth) / 2;
  }, [tab]);
  const tests = valueAt(useBotValue(editor), ["tests"]);
  const counts: Partial<Record<Tab, number>> = {
    intents: intentNames(editor.sound.value).length,
    tests: Array.isArray(tests) ? tests.length : 0,
    versions: editor.published.value!.version,
  };
  return (
    <div class="body bot-tabs">
      <nav class="tabs" aria-label="Parts of the bot" ref={tabs}>
        {TABS.map(([each, says]) => (
          <a
            key={each}
            href={addressOfTab(editor.bot, each)}
            aria-current={each === tab ? "true" : undefined}
          >
            {says} {counts[each] !== undefined && <span class="count">{count(counts[each])}</span>}
          </a>
        ))}
      </nav>
    </div>
  );
}

/** For a bot seeded from a file: what publishing here means for that file. */
function Seeded({ editor }: { editor: BotDraftEditor }) {
  const { origin, version } = editor.published.value!;
  const isChanged = editor.isChanged.value;
  if (origin !== "file") return null;
  const copy = async () => {
    if (await copyText(editor.text.peek())) say("The YAML is copied.");
    else
      sayFault("The browser did not allow copying. Select the YAML beside the form and copy it from there.");
  };
  return (
    <Notice icon="file" title={isChanged ? "Seeded from a file, then changed here" : "Seeded from a file"}>
      <p>
        Version {version} has the content of the file. After you publish, <code>parley seed</code> will list
        what it would overwrite, and stop unless run with <code>--force</code>. Copy the YAML back there.
      </p>
      <div class="actions">
        <Button onClick={copy}>Copy the YAML</Button>
      </div>
    </Notice>
  );
}

/** Why the forms are off, if they are. */
function FormState({ editor }: { editor: BotDraftEditor }) {
  return (
    <Fragment>
      <WhyOff permission="bots.write" />
      {!editor.isSound.value && (
        <Notice kind="look" title="The YAML has an error">
          <p>Correct it there. Until then this form shows the last correct draft and cannot be edited.</p>
        </Notice>
      )}
    </Fragment>
  );
}

function NothingChanged() {
  return (
    <Empty title="No changes">
      <p>
        Edits in the forms or the YAML are checked here before they are published, against refusals, tests and
        real messages.
      </p>
    </Empty>
  );
}

function NoBot({ bot, fault, isMissing }: { bot: string; fault: h.JSX.Element; isMissing: boolean }) {
  return (
    <div class="body top">
      {isMissing ? (
        <Empty title="There is no such bot">
          <p>
            No bot has the id <bdi>{bot}</bdi>. It may have been deleted.
          </p>
          <div class="actions">
            <a class="btn" href="/bots">
              All bots
            </a>
          </div>
        </Empty>
      ) : (
        fault
      )}
    </div>
  );
}
