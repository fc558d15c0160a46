import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ParleyMessage, ParleyStatus } from "../public.d.ts";
import { useWords } from "./context.ts";
import { IconButton } from "./icons.tsx";
import { Message } from "./message.tsx";
import { Notice } from "./notice.tsx";
import { Progress } from "./progress.tsx";
import { Welcome } from "./welcome.tsx";

const PAGE_OF_MESSAGES = 60;
/** Closer to the end than this counts as being there. */
const NEAR_PX = 48;

interface TranscriptProps {
  messages: readonly ParleyMessage[];
  status: ParleyStatus;
  onAsk: (text: string) => void;
  onRetry: () => void;
}

export function Transcript({ messages, status, onAsk, onRetry }: TranscriptProps) {
  const words = useWords();
  const [shown, setShown] = useState(PAGE_OF_MESSAGES);
  const scroll = useScroll(messages, shown);
  const visible = messages.slice(-shown);
  const last = messages.at(-1);
  return (
    <div class="body">
      <div class="scroll" ref={scroll.box} onScroll={scroll.onScroll} tabIndex={0} role="group" aria-label={words("conversation")}>
        <div class="stack">
          {visible.length === messages.length ? (
            <Welcome fresh={messages.length === 0} onAsk={onAsk} />
          ) : (
            <button type="button" class="text-button earlier" onClick={() => setShown(shown + PAGE_OF_MESSAGES)}>
              {words("earlier")}
            </button>
          )}
          <div role="log" class="log" aria-live={scroll.grewUpwards ? "off" : "polite"}>
            {visible.map((message) => (
              <Message key={message.id} message={message} latest={message === last && status.kind === "idle"} onAsk={onAsk} />
            ))}
          </div>
          <Progress status={status} />
          <Notice status={status} question={last?.role === "visitor" ? last : undefined} onRetry={onRetry} />
        </div>
      </div>
      {scroll.away && <IconButton name="down" class="latest" label={words("latest")} onClick={scroll.toEnd} />}
    </div>
  );
}

/**
 * Follows the conversation while the visitor is at its end, but never past the start of the last question, so that a
 * long answer is read from its beginning. Earlier messages appear above without moving what is being read.
 */
function useScroll(messages: readonly ParleyMessage[], shown: number) {
  const box = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const before = useRef({ shown, height: 0, last: messages.at(-1) });
  const [away, setAway] = useState(false);
  const grewUpwards = before.current.shown !== shown;

  useLayoutEffect(() => {
    const view = box.current!;
    const last = messages.at(-1);
    if (last !== before.current.last && last?.role === "visitor") following.current = true;
    if (grewUpwards) view.scrollTop += view.scrollHeight - before.current.height;
    else if (following.current) view.scrollTop = Math.min(view.scrollHeight, lastQuestionTop(view));
    before.current = { shown, height: view.scrollHeight, last };
    measure();
  });

  function measure(): void {
    const view = box.current!;
    const left = view.scrollHeight - view.scrollTop - view.clientHeight;
    setAway(left > NEAR_PX);
  }
  function onScroll(): void {
    const view = box.current!;
    const left = view.scrollHeight - view.scrollTop - view.clientHeight;
    following.current = left <= NEAR_PX || Math.abs(view.scrollTop - lastQuestionTop(view)) < 2;
    setAway(left > NEAR_PX);
  }
  function toEnd(): void {
    following.current = true;
    box.current!.scrollTop = box.current!.scrollHeight;
    box.current!.focus();
  }
  return { box, away, grewUpwards, onScroll, toEnd };
}

const ROOM_ABOVE_PX = 16;

function lastQuestionTop(view: HTMLElement): number {
  const questions = view.querySelectorAll<HTMLElement>(".question");
  const last = questions[questions.length - 1];
  return last ? last.offsetTop - ROOM_ABOVE_PX : Number.POSITIVE_INFINITY;
}
