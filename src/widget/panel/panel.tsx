import { Fragment, h, render } from "preact";

import type { Session } from "../conversation/session.ts";
import type { Shell } from "../shell.ts";
import type { Strings } from "../strings/en.ts";
import { fill } from "../strings/fill.ts";
import { Avatar } from "./avatar.tsx";
import { Composer, fitHeight } from "./composer.tsx";
import { IconButton } from "./icons.tsx";
import { followPeople } from "./people.ts";
import { createScrolling } from "./scrolling.ts";
import { formatsOf } from "./times.ts";
import { markCut, PAGE_OF_MESSAGES, Transcript } from "./transcript.tsx";
import { createTransitions } from "./transitions.ts";
import type { PanelView } from "./view.ts";
import { FULL_SCREEN } from "./viewport.ts";
import { createGreeting } from "./welcome.tsx";

/** A drawn conversation: the default panel or a template. */
export interface Drawn {
  readonly focus: () => void;
  readonly destroy: () => void;
}

/** Draws the panel now and after every change. */
export function drawPanel(shell: Shell, session: Session, strings: Strings): Drawn {
  const { config, options, root } = shell;
  const coversPage = matchMedia(FULL_SCREEN);
  const view = createView(shell, session, strings, draw);
  const transitions = createTransitions(view);
  const scrolling = createScrolling(showAway);
  const people = followPeople(view);

  function showAway(away: boolean): void {
    if (away === view.away) return;
    view.away = away;
    draw();
  }

  function draw(): void {
    transitions.follow(session.status());
    render(
      <section
        class="chat"
        role={options.container ? undefined : "dialog"}
        aria-modal={!options.container && coversPage.matches}
        aria-label={config.botName}
      >
        <Header view={view} />
        <Transcript view={view} scrolling={scrolling} />
        <Foot view={view} />
        <div class="unseen" role="status">
          {view.said}
        </div>
      </section>,
      root,
    );
    people.draw();
    if (view.input) fitHeight(view.input);
    if (view.scroll) markCut(view.scroll);
    showAway(scrolling.settle(session.messages(), view.shown));
  }

  const stopListening = session.subscribe(draw);
  // Runs after `followViewport`, which decides by the size whether the panel covers the page.
  visualViewport?.addEventListener("resize", draw);
  root.replaceChildren();
  draw();
  const greeting = createGreeting(view);
  return {
    focus: () => view.focusInput(),
    destroy() {
      stopListening();
      greeting.destroy();
      people.destroy();
      visualViewport?.removeEventListener("resize", draw);
      transitions.destroy();
      render(null, root);
    },
  };
}

function createView(shell: Shell, session: Session, strings: Strings, draw: () => void): PanelView {
  return {
    shell,
    session,
    strings,
    formats: formatsOf(shell.options),
    words: (key, values) => fill(strings[key], { bot: shell.config.botName, ...values }),
    draw,
    focusInput() {
      const { matches: isTouched } = matchMedia("(pointer: coarse)");
      const start = (isTouched ? this.scroll : this.input) ?? shell.root.querySelector<HTMLElement>(".cap");
      start?.focus({ preventScroll: true });
    },
    ask(text) {
      session.send(text);
      this.focusInput();
    },
    draft: "",
    shown: PAGE_OF_MESSAGES,
    growing: false,
    away: false,
    slow: false,
    said: "",
    input: null,
    scroll: null,
  };
}

function Header({ view }: { view: PanelView }) {
  const { shell, session, words } = view;
  const { botName, tagline } = shell.config;
  const hasMessages = session.messages().length > 0;
  const restart = () => {
    session.startOver();
    view.focusInput();
  };
  return (
    <div class="header">
      {hasMessages && <Avatar config={shell.config} />}
      <div class="names">
        <h2>
          <bdi>{botName}</bdi>
        </h2>
        {tagline && (
          <p>
            <bdi>{tagline}</bdi>
          </p>
        )}
      </div>
      {hasMessages && <IconButton name="restart" label={words("restart")} onClick={restart} />}
      {!shell.options.container && <IconButton name="close" label={words("close")} onClick={shell.close} />}
    </div>
  );
}

/** The composer, or the reason why there is none, and the attribution. */
function Foot({ view }: { view: PanelView }) {
  const status = view.session.status();
  return (
    <Fragment>
      {status.kind === "capped" ? <CapNotice view={view} until={status.until} /> : <Composer view={view} />}
      {view.shell.config.poweredByRequired && (
        <p class="powered">{view.words("poweredBy", { name: "Parley" })}</p>
      )}
    </Fragment>
  );
}

function CapNotice({ view, until }: { view: PanelView; until: number }) {
  const date = new Intl.DateTimeFormat(view.formats, { day: "numeric", month: "long" }).format(until);
  return (
    <Fragment>
      <p class="cap" role="status" tabIndex={-1}>
        {view.words("capped", { date })}
      </p>
      <div class="slot" />
    </Fragment>
  );
}
