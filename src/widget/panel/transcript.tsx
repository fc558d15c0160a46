import { h } from "preact";

import type { ParleyMessage, ParleyStatus } from "../public.d.ts";
import { IconButton } from "./icons.tsx";
import { drawMessage } from "./message.tsx";
import { Notice } from "./notice.tsx";
import { Progress } from "./progress.tsx";
import type { Scrolling } from "./scrolling.ts";
import type { PanelView } from "./view.ts";
import { Welcome } from "./welcome.tsx";

/** Messages drawn at first, and added at each request for earlier ones; chosen by hand. */
export const PAGE_OF_MESSAGES = 60;

/** States in which the last message has not reached the service. */
const HELD = new Set<ParleyStatus["kind"]>(["limited", "capped", "queued", "unreachable", "failed"]);

interface TranscriptProps {
  view: PanelView;
  scrolling: Scrolling;
}

export function Transcript({ view, scrolling }: TranscriptProps) {
  const { session, words } = view;
  const messages = session.messages();
  const last = messages.at(-1);
  const { kind } = session.status();
  // A rejected message whose text is back in the composer is shown only there.
  const shown = messages.slice(-view.shown).filter((message) => message !== view.returned);
  const draw = (message: ParleyMessage, at: number) => {
    const isLast = message === last;
    const held = isLast && HELD.has(kind);
    return drawMessage({ view, message, previous: shown[at - 1], latest: isLast && kind === "idle", held });
  };
  return (
    <div class="body">
      <div
        class="scroll"
        ref={(box) => {
          view.scroll = box;
          scrolling.attach(box);
        }}
        onScroll={scrolling.onScroll}
        onScrollCapture={({ target, currentTarget }) => target !== currentTarget && markCut(currentTarget)}
        tabIndex={0}
        role="group"
        aria-label={words("conversation")}
      >
        <div class="stack">
          {messages.length > view.shown ? <Earlier view={view} /> : <Welcome view={view} />}
          <div role="log" class="log" aria-live={view.growing ? "off" : "polite"}>
            {shown.map(draw)}
          </div>
          <Progress view={view} />
          <Notice view={view} />
        </div>
      </div>
      {view.away && last && (
        <IconButton name="down" class="latest" label={words("latest")} onClick={scrolling.toEnd} />
      )}
    </div>
  );
}

function Earlier({ view }: { view: PanelView }) {
  const more = () => {
    view.shown += PAGE_OF_MESSAGES;
    view.growing = true;
    view.draw();
    view.growing = false;
    // All messages are drawn, so that this button disappears: move the focus.
    if (view.shown >= view.session.messages().length) view.scroll?.focus({ preventScroll: true });
  };
  return (
    <button type="button" class="text-button earlier" onClick={more}>
      {view.words("earlier")}
    </button>
  );
}

/** Marks code and tables that are wider than their box; the style sheet fades their edge. */
export function markCut(box: HTMLElement): void {
  for (const wide of box.querySelectorAll("pre, .table")) {
    // In right-to-left text, scrollLeft is negative.
    const left = wide.scrollWidth - wide.clientWidth - Math.abs(wide.scrollLeft);
    wide.classList.toggle("cut", left > 1);
  }
}
