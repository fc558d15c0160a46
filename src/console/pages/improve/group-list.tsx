import { h } from "preact";

import type { ImproveGroup } from "../../../domain/operator/improve.ts";
import { botName } from "../../bots.ts";
import { Time } from "../../parts/time.tsx";
import { VisitorText } from "../../parts/visitor-text.tsx";
import { withQuery } from "../../router.ts";
import { count, counted } from "../../words/numbers.ts";

interface GroupListProps {
  groups: readonly ImproveGroup[];
  chosen: string | undefined;
  /** Whether groups of several bots are shown. */
  hasBots: boolean;
}

/** Groups of messages that say much the same, the most frequent first; the bar compares them with the first. */
export function GroupList({ groups, chosen, hasBots }: GroupListProps) {
  const most = Math.max(1, ...groups.map(({ turns }) => turns));
  return (
    <nav class="pane flush list" aria-label="Groups, the most frequent first" tabIndex={0}>
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
    </nav>
  );
}

/** Where a group is, with the filters that are in force. */
export function addressOfGroup(id: string | undefined): string {
  const query = withQuery({}).split("?")[1];
  return `/improve${id === undefined ? "" : `/${encodeURIComponent(id)}`}${query === undefined ? "" : `?${query}`}`;
}

const KINDS = { unmatched: "not understood", asked: "asked back", refused: "refused" };

function aboutGroup({ kind, distinct, intent }: ImproveGroup): string {
  const as = kind === "refused" && intent !== null ? ` as ${intent}` : "";
  return `${KINDS[kind]}${as}, ${counted(distinct, "wording")}`;
}
