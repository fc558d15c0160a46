import { h } from "preact";

import type { ConversationRow } from "../../../domain/operator/conversations.ts";
import { botName } from "../../bots.ts";
import { Badge, RatingBadge } from "../../parts/badge.tsx";
import { drawPieces, Time } from "../../parts/text.tsx";
import { place, withQuery } from "../../router.ts";
import { counted } from "../../words/numbers.ts";

/** Address of a conversation, with the current filters. */
export function addressOf(id: string): string {
  const { query } = place.value;
  return withQuery({ turn: undefined }, { path: `/conversations/${encodeURIComponent(id)}`, query });
}

/** A row of the list: last message, time and outcome. */
export function Row({ row, isOpen }: { row: ConversationRow; isOpen: boolean }) {
  const { id, bot, turns, unhelpful, latest } = row;
  return (
    <li>
      <a class="row-link" href={addressOf(id)} aria-current={isOpen ? "true" : undefined} data-row={id}>
        <span class="top">
          <span class="title" dir="auto">
            {latest.input === undefined ? <span class="faint">text not kept</span> : drawPieces(latest.input)}
          </span>
          <span class="num faint">
            <Time at={latest.at} />
          </span>
        </span>
        <span class="meta">
          <Badge outcome={latest.outcome} hidden />
          {unhelpful > 0 && <RatingBadge rating="down" hidden />}
          <bdi>{botName(bot)}</bdi>
          {latest.intent !== null && <code class="intent">{latest.intent}</code>}
          {turns > 1 && <span class="end nowrap">{counted(turns, "message")}</span>}
        </span>
      </a>
    </li>
  );
}
