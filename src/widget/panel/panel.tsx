import { render } from "preact";

import type { Session } from "../conversation/session.ts";
import type { Shell } from "../shell.ts";
import type { Strings } from "../strings/en.ts";
import { fill } from "../strings/fill.ts";
import { Composer, fitHeight } from "./composer.tsx";
import { Header } from "./header.tsx";
import { createMessageDrawer } from "./message.tsx";
import { createScrolling } from "./scrolling.ts";
import { PAGE_OF_MESSAGES, Transcript } from "./transcript.tsx";
import { createTransitions } from "./transitions.ts";
import type { PanelView } from "./view.ts";

/** What draws in the shell: the panel, or a template. */
export interface Drawn {
  readonly focus: () => void;
  readonly destroy: () => void;
}

/** Draws the panel now and after every change of the conversation. */
export function drawPanel(shell: Shell, session: Session, strings: Strings): Drawn {
  const view: PanelView = {
    shell,
    session,
    strings,
    words: (key, values) => fill(strings[key], { bot: shell.config.botName, ...values }),
    draw,
    draft: "",
    shown: PAGE_OF_MESSAGES,
    away: false,
    slow: false,
    said: "",
    input: null,
  };
  const transitions = createTransitions(view);
  const drawMessage = createMessageDrawer();
  const scrolling = createScrolling(showAway);
  let shownBefore = view.shown;

  function showAway(away: boolean): void {
    if (away === view.away) return;
    view.away = away;
    draw();
  }

  function ask(text: string): void {
    session.send(text);
    view.input?.focus();
  }

  function draw(): void {
    transitions.follow(session.status());
    render(
      <section
        class="chat"
        role={shell.options.container ? undefined : "dialog"}
        aria-label={shell.config.botName}
      >
        <Header view={view} />
        <Transcript
          view={view}
          scrolling={scrolling}
          drawMessage={drawMessage}
          growing={view.shown !== shownBefore}
          onAsk={ask}
        />
        <Foot view={view} />
        <div class="unseen" role="status">
          {view.said}
        </div>
      </section>,
      shell.root,
    );
    shownBefore = view.shown;
    if (view.input) fitHeight(view.input);
    showAway(scrolling.settle(session.messages(), view.shown));
  }

  const stopListening = session.subscribe(draw);
  draw();
  return {
    focus() {
      const start = view.input ?? shell.root.querySelector<HTMLElement>(".cap");
      start?.focus({ preventScroll: true });
    },
    destroy() {
      stopListening();
      transitions.destroy();
      render(null, shell.root);
    },
  };
}

/** The composer, or the reason why there is none; and the attribution. */
function Foot({ view }: { view: PanelView }) {
  const status = view.session.status();
  return (
    <>
      {status.kind === "capped" ? <CapNotice view={view} until={status.until} /> : <Composer view={view} />}
      {view.shell.config.poweredByRequired && (
        <p class="powered">{view.words("poweredBy", { name: "Parley" })}</p>
      )}
    </>
  );
}

function CapNotice({ view, until }: { view: PanelView; until: number }) {
  const { language } = view.shell.options;
  const date = new Intl.DateTimeFormat(language, { day: "numeric", month: "long" }).format(until);
  return (
    <p class="cap" role="status" tabIndex={-1}>
      {view.words("capped", { date })}
    </p>
  );
}
