import { Fragment, h } from "preact";
import { useEffect } from "preact/hooks";

import type { ImproveGroup, ImprovePage } from "../../../domain/operator/improve.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { bots, waiting } from "../../bots.ts";
import { ChangePane } from "../../change/change-pane.tsx";
import { useDraft } from "../../draft/open-drafts.ts";
import { useKeys } from "../../keys.ts";
import type { PageProps } from "../../page.ts";
import { Swatch } from "../../parts/badge.tsx";
import { Select } from "../../parts/fields.tsx";
import { BotSelect, Chip, PageHead } from "../../parts/page-head.tsx";
import { Empty, Fault, Read, Skeleton } from "../../parts/states.tsx";
import { go, place, withQuery } from "../../router.ts";
import { mayUndoLast } from "../../toasts.ts";
import { count, counted } from "../../words/numbers.ts";
import { IMPROVE_KIND_WORDS, IMPROVE_KINDS } from "../../words/outcomes.ts";
import { addressOfGroup, GroupList } from "./group-list.tsx";
import { GroupPane } from "./group-pane.tsx";
import { goneGroups, setTaughtAside } from "./set-aside.ts";

const DAY_MS = 86_400_000;
const SINCE = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["", "ever"],
] as const;
const USUAL_SINCE = "30";

type Kind = ImproveGroup["kind"];

/** The filters of the address. */
interface Filters {
  bot: string;
  /** Days back; "": all. */
  since: string;
  kinds: readonly Kind[];
}

function filtersOf(query: URLSearchParams): Filters {
  const named = (query.get("outcome") ?? "").split(",");
  const kinds = IMPROVE_KINDS.filter((kind) => named.includes(kind));
  return {
    bot: query.get("bot") ?? "",
    since: SINCE.find(([days]) => days === query.get("since"))?.[0] ?? USUAL_SINCE,
    kinds: kinds.length === 0 ? IMPROVE_KINDS : kinds,
  };
}

/**
 * Groups of messages whose answers did not help or are likely wrong, and of messages that were not understood, asked back or refused.
 * Beside them: the intent to assign, and what publishing would change.
 */
export default function Page({ params, query }: PageProps) {
  const filters = filtersOf(query);
  const from = useResource(`${filters.bot} ${filters.since}`, (signal) => {
    const since = filters.since === "" ? 0 : Date.now() - Number(filters.since) * DAY_MS;
    const asked = {
      ...(filters.bot !== "" && { bot: filters.bot }),
      since,
    };
    return ask("GET /improve", { query: asked }, { signal });
  });
  const groups = shownGroups(from.data, filters);
  const { data } = from;
  // The menu counts as the overview does: all bots and kinds, without groups that are only likely wrong.
  const waitingGroups =
    data && filters.bot === "" && filters.since === USUAL_SINCE
      ? shownGroups(data, { ...filters, kinds: IMPROVE_KINDS }).filter(({ kind }) => kind !== "wrong").length
      : undefined;
  useEffect(() => {
    if (waitingGroups !== undefined) waiting.value = waitingGroups;
  }, [waitingGroups]);
  return (
    <div class="main fit">
      <PageHead title="Improve" {...(from.data && { lead: <Lead groups={groups} page={from.data} /> })}>
        <BotSelect value={filters.bot} onChange={(bot) => go(withQuery({ bot }, improve(query)))} />
        <span class="grow" />
        <KindChips filters={filters} />
        <Select
          label="Period"
          value={filters.since}
          options={SINCE}
          onChange={(since) => go(`${improve(query).path}?${withSince(query, since)}`)}
        />
      </PageHead>
      <div class="improve-body">
        <Read what="the groups" from={from}>
          {() =>
            groups.length === 0 ? (
              <NothingWaits filters={filters} page={from.data!} />
            ) : (
              <Panes
                groups={groups}
                chosen={params["group"]}
                hasBots={filters.bot === "" && (bots.value?.length ?? 0) > 1}
                reload={from.reload}
              />
            )
          }
        </Read>
      </div>
    </div>
  );
}

const improve = (query: URLSearchParams) => ({ path: "/improve", query });

/** `withQuery` would remove the empty value of "ever", and a missing value means 30 days. So the value is set here, even if empty. */
function withSince(query: URLSearchParams, since: string): URLSearchParams {
  const next = new URLSearchParams(query);
  next.set("since", since);
  return next;
}

function shownGroups(page: ImprovePage | undefined, { kinds }: Filters): ImproveGroup[] {
  const gone = goneGroups.value;
  const groups = page?.groups.filter(({ id, kind }) => kinds.includes(kind) && !gone.has(id)) ?? [];
  const sectionOf = ({ kind }: ImproveGroup) => (kind === "unhelpful" ? 0 : kind === "wrong" ? 1 : 2);
  return groups.toSorted((one, other) => sectionOf(one) - sectionOf(other) || other.turns - one.turns);
}

function KindChips({ filters }: { filters: Filters }) {
  const toggle = (kind: Kind) => {
    const kinds = IMPROVE_KINDS.filter((each) => (each === kind) !== filters.kinds.includes(each));
    go(withQuery({ outcome: kinds.length === IMPROVE_KINDS.length ? undefined : kinds.join(",") }));
  };
  return (
    <div class="filters" role="group" aria-label="Kind">
      {IMPROVE_KINDS.map((kind) => (
        <Chip key={kind} on={filters.kinds.includes(kind)} onClick={() => toggle(kind)}>
          <Swatch outcome={kind} />
          {IMPROVE_KIND_WORDS[kind]}
        </Chip>
      ))}
    </div>
  );
}

const turnsOf = (groups: readonly ImproveGroup[]) => groups.reduce((sum, { turns }) => sum + turns, 0);

function Lead({ groups, page }: { groups: readonly ImproveGroup[]; page: ImprovePage }) {
  const all = turnsOf(groups);
  const wrong = groups.filter(({ kind }) => kind === "wrong");
  const largest = groups.toSorted((one, other) => other.turns - one.turns).slice(0, 3);
  const share = all === 0 ? 0 : Math.round((turnsOf(largest) / all) * 100);
  return (
    <Fragment>
      <b>
        {counted(groups.length, "group")}, {counted(all, "message")}.
      </b>
      {groups.length > 3 && ` The three largest groups hold ${share} % of the messages.`}
      {wrong.length > 0 &&
        ` The menu and the overview leave out what is only likely wrong: ${counted(wrong.length, "group")}, ${counted(turnsOf(wrong), "message")}.`}
      {page.looked < page.turns &&
        ` Of ${count(page.turns)}, the latest ${count(page.looked)} were examined.`}
      {page.notKept > 0 &&
        ` ${counted(page.notKept, "message")} cannot be grouped: their texts are not stored.`}
    </Fragment>
  );
}

function NothingWaits({ filters, page }: { filters: Filters; page: ImprovePage }) {
  const hasOthers = page.groups.some(({ id }) => !goneGroups.value.has(id));
  return (
    <Empty title="No groups">
      <p>
        {whyNothing(hasOthers, page)}
        {page.setAside > 0 &&
          ` ${counted(page.setAside, "message")} ${page.setAside === 1 ? "is" : "are"} set aside.`}
      </p>
      <div class="actions">
        {hasOthers ? (
          <a class="btn" href={withQuery({ outcome: undefined })}>
            Show all kinds
          </a>
        ) : (
          filters.since !== "" && (
            <a class="btn" href={`/improve?${withSince(place.value.query, "")}`}>
              Show a longer period
            </a>
          )
        )}
        <a class="btn btn-quiet" href={`/try/${encodeURIComponent(filters.bot)}`}>
          Try the bot
        </a>
      </div>
    </Empty>
  );
}

function whyNothing(hasOthers: boolean, { notKept }: ImprovePage): string {
  if (hasOthers) return "There are groups of other kinds.";
  if (notKept > 0)
    return "Messages are not stored on this server, so they cannot be grouped. Conversations shows the decisions and the answers that did not help.";
  return "Every question of this period was answered and helped, or was dealt with.";
}

interface PanesProps {
  groups: readonly ImproveGroup[];
  chosen: string | undefined;
  /** Whether each group names its bot. True if there are several bots and no bot is selected. */
  hasBots: boolean;
  /** Reads the groups again. */
  reload: () => void;
}

function Panes({ groups, chosen, hasBots, reload }: PanesProps) {
  const at = groups.findIndex(({ id }) => id === chosen);
  const group = groups[at] ?? groups[0]!;
  const open = (to: number) => {
    const next = groups[Math.min(Math.max(to, 0), groups.length - 1)];
    if (next === undefined) return false;
    go(addressOfGroup(next.id));
    document.querySelector(`[data-group="${CSS.escape(next.id)}"]`)?.scrollIntoView({ block: "nearest" });
    return true;
  };
  const now = Math.max(at, 0);
  useKeys([
    { key: "j", says: "next group", run: () => open(now + 1) },
    { key: "k", says: "previous group", run: () => open(now - 1) },
    {
      key: "Escape",
      says: "back to the list",
      run: () => chosen !== undefined && go(addressOfGroup(undefined)),
    },
  ]);
  const next = groups[now + 1] ?? groups[now - 1];
  return (
    <div class="split split-improve" data-show={chosen === undefined ? "list" : "detail"}>
      <GroupList groups={groups} chosen={group.id} hasBots={hasBots} />
      <BotPanes
        key={group.bot}
        group={group}
        groups={groups.length}
        reload={reload}
        onDone={() => go(addressOfGroup(next?.id), { replace: true })}
      />
    </div>
  );
}

interface BotPanesProps extends Pick<PanesProps, "reload"> {
  group: ImproveGroup;
  groups: number;
  onDone: () => void;
}

function BotPanes({ group, reload: reloadGroups, ...props }: BotPanesProps) {
  const { editor, problem, reload } = useDraft(group.bot);
  useKeys([
    {
      key: "z",
      says: "undo",
      // While a message with an undo button is shown, the key belongs to it (see the shell), not to the draft.
      run: () => !mayUndoLast() && editor?.undo() === true,
    },
  ]);
  /** After publishing: removes the messages that are examples now from the list. Opens the next group if this one had any of them. */
  const setAside = async (yaml: string) => {
    const { texts, undo } = await setTaughtAside(group.bot, yaml);
    if (group.messages.some(({ text }) => texts.includes(text))) props.onDone();
    reloadGroups();
    return () => undo().then(reloadGroups);
  };
  if (problem !== undefined)
    return (
      <section class="pane">
        <Fault what="The bot could not be loaded" problem={problem} retry={reload} />
      </section>
    );
  if (editor === undefined)
    return (
      <section class="pane">
        <Skeleton what="the bot" lines={["w6", "w9", "w9", "w4"]} />
      </section>
    );
  return (
    <Fragment>
      <GroupPane group={group} editor={editor} {...props} />
      <section class="pane quiet" aria-label="Changes" tabIndex={0}>
        <ChangePane editor={editor} onPublished={setAside} empty={<NothingChanged />} />
      </section>
    </Fragment>
  );
}

function NothingChanged() {
  return (
    <Fragment>
      <div class="pane-head">
        <h2>Changes</h2>
      </div>
      <Empty title="No changes">
        <p>
          Choose an intent for these messages. The refusals, tests and real messages that would change are
          shown here before you publish.
        </p>
      </Empty>
    </Fragment>
  );
}
