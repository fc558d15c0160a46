import { Fragment, h } from "preact";

import type { ImproveGroup } from "../../../domain/operator/improve.ts";
import { botName } from "../../bots.ts";
import { Time, VisitorText } from "../../parts/text.tsx";
import { withQuery } from "../../router.ts";
import { count, counted } from "../../words/numbers.ts";

interface GroupListProps {
  groups: readonly ImproveGroup[];
  chosen: string | undefined;
  /** Whether each group names its bot. */
  hasBots: boolean;
}

/** Groups of messages by kind: unhelpful, likely wrong and not answered. */
export function GroupList({ groups, chosen, hasBots }: GroupListProps) {
  const ofKind = (wanted: ImproveGroup["kind"]) => groups.filter(({ kind }) => kind === wanted);
  const sections = [
    { says: "Rated as unhelpful", of: ofKind("unhelpful") },
    { says: "Likely wrong", of: ofKind("wrong") },
    { says: "Not answered", of: groups.filter(({ kind }) => kind !== "unhelpful" && kind !== "wrong") },
  ].filter((section) => section.of.length > 0);
  return (
    <nav class="pane flush list" aria-label="Groups, largest first" tabIndex={0}>
      {sections.map(({ says, of }) => (
        <Section key={says} says={says} groups={of} chosen={chosen} hasBots={hasBots} />
      ))}
    </nav>
  );
}

/** Largest first; each bar is relative to the first group. */
function Section({ says, groups, chosen, hasBots }: GroupListProps & { says: string }) {
  const most = Math.max(1, ...groups.map(({ turns }) => turns));
  return (
    <Fragment>
      <h2 class="list-head">{says}</h2>
      <ol class="rows">
        {groups.map((group) => (
          <li key={group.id}>
            <a
              class="row-link"
              href={addressOfGroup(group.id)}
              aria-current={group.id === chosen ? "true" : undefined}
              data-group={group.id}
            >
              <span class="top">
                <span class="title">
                  <VisitorText text={group.messages[0]?.text ?? ""} />
                </span>
                <span class="num strong">{count(group.turns)}</span>
              </span>
              <svg class="mix" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect class={`f-${group.kind}`} width={Math.max(1, (group.turns / most) * 100)} height="4" />
              </svg>
              <span class="meta">
                <span>{aboutGroup(group)}</span>
                {hasBots && <span>{botName(group.bot)}</span>}
                <span class="end nowrap">
                  <Time at={group.latestAt} as="ago" />
                </span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </Fragment>
  );
}

/** Address of a group, with the current filters. */
export function addressOfGroup(id: string | undefined): string {
  const query = withQuery({}).split("?")[1];
  return `/improve${id === undefined ? "" : `/${encodeURIComponent(id)}`}${query === undefined ? "" : `?${query}`}`;
}

function aboutGroup({ kind, distinct, intent }: ImproveGroup): string {
  return `${ABOUT[kind](intent)}, ${counted(distinct, "wording")}`;
}

type About = (intent: string | null) => string;

const ABOUT: Readonly<Record<ImproveGroup["kind"], About>> = {
  unhelpful: (intent) => (intent === null ? "rated unhelpful" : `answered as ${intent}`),
  wrong: (intent) => (intent === null ? "refused" : `answered as ${intent}`),
  unmatched: () => "not understood",
  asked: () => "clarifying question",
  refused: (intent) => (intent === null ? "refused" : `refused as ${intent}`),
};
