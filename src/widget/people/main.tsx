import { h, render } from "preact";

import type { PanelView, People } from "../panel/view.ts";
import type { ParleyMessage } from "../public.d.ts";
import { fill } from "../strings/fill.ts";
// The build replaces this import by the strings of the chunk's language.
import chunkStrings from "../strings/people/en.ts";
import { borrow, type Borrowed } from "./borrowed.ts";
import type { PeopleContext } from "./context.ts";
import { isPassedOn } from "./events.ts";
import { Offer } from "./handoff.tsx";
import { createListening } from "./listening.ts";
import { mayRate, RatingNote, Thumbs } from "./rating.tsx";

import peopleCss from "./people.css" with { type: "text" };

/** The chunk: an ES module with this export. */
export interface PeopleModule {
  readonly createPeople: typeof createPeople;
}

function addStyles(root: HTMLElement): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(peopleCss);
  (root.getRootNode() as ShadowRoot).adoptedStyleSheets.push(sheet);
}

/** Draws ratings, hand-off and operators' messages into the panel's slots, with the panel's Preact. */
export function createPeople(view: PanelView, borrowed: Borrowed): People {
  borrow(borrowed);
  addStyles(view.shell.root);
  const strings = { ...chunkStrings, ...view.strings };
  const listening = createListening(view);
  /** State of the last rendering of each turn. */
  const drawn = new WeakMap<Element, string>();
  let changes = 0;
  let last = view.session.messages().at(-1)?.id;
  const people: PeopleContext = {
    view,
    service: listening.service,
    words: (key, values = {}) => fill(strings[key], values),
    changed() {
      changes += 1;
      view.draw();
    },
    focus(selector) {
      people.changed();
      const found = view.shell.root.querySelector<HTMLElement>(selector);
      found?.closest(".ask")?.scrollIntoView({ block: "nearest" });
      found?.focus();
    },
    ratings: new Map(),
    form: undefined,
  };

  function forget(id: string): void {
    people.ratings.delete(id);
    changes += 1;
  }

  function drawTurn(turn: HTMLElement, message: ParleyMessage, offered: boolean): void {
    const { handoff } = view.session.kept();
    const key = [message.id, message.rating, offered, handoff?.state, handoff?.at, changes].join(" ");
    if (drawn.get(turn) === key) return;
    drawn.set(turn, key);
    // While an operator answers, the bot acknowledges each message in the same words; the conversation shows the operator's name already.
    turn.hidden = isPassedOn(message);
    const [beside, below] = turn.querySelectorAll(".slot");
    if (mayRate(message)) render(<Thumbs people={people} message={message} />, beside!);
    render(<Below people={people} message={message} offered={offered} />, below!);
  }

  function draw(): void {
    const { session, shell, scroll, away } = view;
    listening.update();
    const messages = session.messages();
    // A new conversation discards an unsent form.
    if (messages.length === 0) people.form = undefined;
    const latest = messages.at(-1);
    const isNew = latest?.id !== last;
    last = latest?.id;
    // Thanks disappear with the next message.
    if (isNew) people.ratings.forEach(({ step }, id) => step === "thanked" && forget(id));
    const shown = messages.slice(-view.shown);
    const offer = offerOf(people, messages);
    const { handoff } = session.kept();
    const asked = handoff?.state === "open" ? handoff.at : undefined;
    const turns = shell.root.querySelectorAll<HTMLElement>(".turn");
    shown.forEach((message, at) => {
      const turn = view.turns ? view.turns.get(message.id) : turns[at];
      if (turn) drawTurn(turn, message, message === offer || message.id === asked);
    });
    const atCap = shell.root.querySelector(".cap + .slot");
    if (atCap && shell.config.handoff?.offer.includes("cap")) {
      render(<Offer people={people} at={undefined} />, atCap);
    }
    shell.root.classList.toggle("live", handoff?.state === "live");
    if (isNew && latest?.role === "operator" && !away) {
      requestAnimationFrame(() => scroll?.scrollTo(0, scroll.scrollHeight));
    }
  }

  return { draw, destroy: listening.stop };
}

interface BelowProps {
  people: PeopleContext;
  message: ParleyMessage;
  /** Whether the offer of a person is shown here. */
  offered: boolean;
}

function Below({ people, message, offered }: BelowProps) {
  return (
    <div>
      {message.role === "operator" && <Said people={people} message={message} />}
      {mayRate(message) && <RatingNote people={people} message={message} />}
      {offered && <Offer people={people} at={message.id} />}
    </div>
  );
}

/**
 * The message below which a person is offered: the one above the open form; otherwise the last answer that offers one, unless an
 * operator took part after it. After a closed request the visitor may ask again.
 */
function offerOf(
  { view, form }: PeopleContext,
  messages: readonly ParleyMessage[],
): ParleyMessage | undefined {
  if (form) return messages.find(({ id }) => id === form.at);
  if (view.shell.config.handoff === undefined || view.session.kept().handoff?.state === "live")
    return undefined;
  const last = messages.findLast(
    ({ role, metadata }) => role === "operator" || metadata?.handoff?.state === "offered",
  );
  return last?.role === "operator" && last.state !== "closed" ? undefined : last;
}

/** An operator's message in plain text with the name; or a note that an operator joined or left. */
function Said({ people, message }: { people: PeopleContext; message: ParleyMessage }) {
  const name = message.name ?? "";
  if (message.state !== undefined) {
    return <p class="day state">{stateText(people, message.state, name)}</p>;
  }
  return (
    <div class="person" dir="auto">
      <b>
        <bdi>{name}</bdi>
        <span class="unseen">:</span>
      </b>
      <p>{message.text}</p>
    </div>
  );
}

function stateText({ words }: PeopleContext, state: string, name: string): string {
  if (state === "live") return words("here", { name });
  return words(state === "closed" ? "closed" : "botAgain");
}
