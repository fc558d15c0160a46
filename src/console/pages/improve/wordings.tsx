import { h } from "preact";

import type { ImproveGroup } from "../../../domain/operator/improve.ts";
import { Badge, RatingBadge, Tag } from "../../parts/badge.tsx";
import { VisitorText } from "../../parts/text.tsx";
import { personalPart } from "../../teach/teaching.ts";
import { counted } from "../../words/numbers.ts";

/** Characters of an answer that are shown. */
const MAX_ANSWER_LENGTH = 240;

interface WordingsProps {
  group: ImproveGroup;
  chosen: readonly string[];
  onChoose: (messages: readonly string[]) => void;
}

/** The messages of a group; the ticked ones become examples. */
export function Wordings({ group, chosen, onChoose }: WordingsProps) {
  const all = group.messages.map(({ text }) => text);
  const has = new Set(chosen);
  const isAll = all.length === has.size;
  const set = (text: string, isOn: boolean) =>
    onChoose(all.filter((each) => (each === text ? isOn : has.has(each))));
  return (
    <div>
      {all.length > 1 && (
        <label class="pick head small">
          <input
            type="checkbox"
            checked={isAll}
            aria-label="Select all"
            onChange={(event) => onChoose(event.currentTarget.checked ? all : [])}
          />
          <span class="dim">
            <b>
              {chosen.length} of {counted(all.length, "wording")}
            </b>{" "}
            selected, the most typical first
          </span>
          <span />
          {group.distinct > all.length && <span class="faint">of {counted(group.distinct, "wording")}</span>}
        </label>
      )}
      {group.messages.map(({ text, after, times, conversationId, requestId, answer, reasons }) => (
        <div key={text} class="pick">
          <input
            id={`pick-${requestId}`}
            type="checkbox"
            data-pick
            checked={has.has(text)}
            onChange={(event) => set(text, event.currentTarget.checked)}
          />
          <label for={`pick-${requestId}`}>
            <VisitorText text={text} /> <Personal text={text} />{" "}
            {after !== undefined && (
              <Tag title="It depends on the message before it and is used as an example only after that message.">
                follow-up
              </Tag>
            )}
          </label>
          <a
            class="times num"
            href={`/conversations/${encodeURIComponent(conversationId)}?turn=${encodeURIComponent(requestId)}`}
            title="Open the latest conversation with it"
          >
            ×{times}
          </a>
          <KindBadge kind={group.kind} />
          {answer !== undefined && <Answered kind={group.kind} answer={answer} reasons={reasons ?? []} />}
        </div>
      ))}
    </div>
  );
}

function KindBadge({ kind }: Pick<ImproveGroup, "kind">) {
  if (kind === "unhelpful") return <RatingBadge rating="down" hidden />;
  return kind === "wrong" ? (
    <Badge outcome="unmatched" says="likely wrong" hidden />
  ) : (
    <Badge outcome={kind} hidden />
  );
}

interface AnsweredProps extends Pick<ImproveGroup, "kind"> {
  answer: string;
  reasons: readonly string[];
}

/** The answer, with the visitor's reason or the sign that it is likely wrong. */
function Answered({ kind, answer, reasons }: AnsweredProps) {
  return (
    <div class="unhelpful small">
      {reasons.map((reason) => (
        <p key={reason}>
          {kind === "wrong" ? (
            <VisitorText text={reason} />
          ) : (
            ["“", <VisitorText key="reason" text={reason} />, "”"]
          )}
        </p>
      ))}
      {reasons.length === 0 && <p class="faint">No reason was given.</p>}
      <p class="faint">
        Answered:{" "}
        <VisitorText
          text={answer.length > MAX_ANSWER_LENGTH ? `${answer.slice(0, MAX_ANSWER_LENGTH)}…` : answer}
        />
      </p>
    </div>
  );
}

function Personal({ text }: { text: string }) {
  const part = personalPart(text);
  if (part === undefined) return null;
  return <Tag title="It may contain personal data. Check it before it goes into the bot file.">{part}</Tag>;
}
