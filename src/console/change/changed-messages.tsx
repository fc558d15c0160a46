import { type ComponentChildren, Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { ChangedMessage, DecisionSummary, PublishPreview } from "../../domain/operator/bots.ts";
import { Badge } from "../parts/badge.tsx";
import { TableFrame } from "../parts/table.tsx";
import { VisitorText } from "../parts/text.tsx";
import { counted } from "../words/numbers.ts";
import { sizeOf, tickOf } from "./guard.ts";

/** Rows of a group shown before the operator asks for more. */
const FIRST_ROWS = 5;

interface Ticks {
  ticks: ReadonlySet<string>;
  onTick: (tick: string, isOn: boolean) => void;
}

/** Real messages that the draft decides differently, with both decisions side by side. Those to check come first. */
export function ChangedMessages({ preview, ...ticks }: { preview: PublishPreview } & Ticks) {
  const { newlyAnswered, worse, improved, moved, baseVersion } = preview;
  if (newlyAnswered.length + worse.length + improved.length + moved.length === 0) return null;
  return (
    <TableFrame
      label="Messages with a different decision"
      caption="Real messages that the draft decides differently from the live version"
      kind="then stack"
      heads={{ Message: "", [`Live, version ${baseVersion}`]: "", Draft: "" }}
    >
      <Group
        says="Refused by the live version, answered by this draft"
        messages={newlyAnswered}
        isLook
        all
        {...ticks}
      />
      <Group says="To check" messages={worse} isLook />
      <Group says="Answered by this draft only" messages={improved} />
      <Group says="Answered by a different intent" messages={moved} />
    </TableFrame>
  );
}

interface GroupProps extends Partial<Ticks> {
  says: string;
  messages: readonly ChangedMessage[];
  isLook?: boolean;
  /** Shows all rows at once. */
  all?: boolean;
}

function Group({ says, messages, isLook = false, all = false, ...ticks }: GroupProps) {
  const [isWhole, setIsWhole] = useState(false);
  if (messages.length === 0) return null;
  const shown = all || isWhole ? messages : messages.slice(0, FIRST_ROWS);
  const left = messages.length - shown.length;
  return (
    <Fragment>
      <tr class="group">
        <th colSpan={3} scope="colgroup">
          {says}: {sizeOf(messages)}
        </th>
      </tr>
      {shown.map((message) => (
        <Row key={tickOf(message)} message={message} isLook={isLook} {...ticks} />
      ))}
      {left > 0 && (
        <tr>
          <td colSpan={3}>
            <button class="link" type="button" onClick={() => setIsWhole(true)}>
              {counted(left, "more message")}
            </button>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function Row({
  message,
  isLook,
  ticks,
  onTick,
}: { message: ChangedMessage; isLook: boolean } & Partial<Ticks>) {
  const { text, times, before, after } = message;
  const said = (
    <Fragment>
      <VisitorText text={text} />
      {times > 1 && <span class="times tn"> ×{times}</span>}
    </Fragment>
  );
  return (
    <tr class={isLook ? "look" : undefined}>
      <th scope="row">
        {onTick === undefined ? (
          said
        ) : (
          <Tick tick={tickOf(message)} ticks={ticks!} onTick={onTick}>
            {said}
          </Tick>
        )}
      </th>
      <td data-label="Live">
        <Decision decision={before} />
      </td>
      <td data-label="Draft">
        <Decision decision={after} />
      </td>
    </tr>
  );
}

function Tick({ tick, ticks, onTick, children }: { tick: string; children: ComponentChildren } & Ticks) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={ticks.has(tick)}
        onChange={(event) => onTick(tick, event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

function Decision({ decision: { outcome, intent, reason } }: { decision: DecisionSummary }) {
  return (
    <Fragment>
      <Badge outcome={outcome} />
      {intent === null ? (
        reason !== null && <span class="reason">{reason}</span>
      ) : (
        <code class="intent">{intent}</code>
      )}
    </Fragment>
  );
}
