import { HELPING, INPUT } from "../folder.ts";
import { ask, askAsVisitor, type OperatedLine, type Asked } from "./ask.ts";
import type { Deed, DeedParts } from "./deed.ts";

interface Said {
  by: "operator" | "visitor";
  text: string;
}

/** A visitor who asks for a person, and what was acknowledged of it. */
interface Story {
  key: string;
  message: string;
  handoffId: string;
  conversationId: string;
  isTaken: boolean;
  /** In order. */
  said: Said[];
  /** What was said last and not answered. */
  pending: Said | undefined;
  /** What ends it was asked for; and it was answered. */
  ending: "close" | "release" | undefined;
  hasEnded: boolean;
}

interface Opened {
  handoffId: string;
  conversationId: string;
}

interface Row {
  state: string;
  conversationId: string;
  fields: { message?: string };
}

interface Event {
  kind: string;
  text: string;
}

const MAX_SAID = 4;

/** A visitor asks for a person; one takes over, both write, and it ends. */
export class HandingOff implements Deed {
  readonly hands = 1;
  readonly #parts: DeedParts;
  readonly #stories: Story[] = [];
  #compared = 0;

  constructor(parts: DeedParts) {
    this.#parts = parts;
  }

  async act(line: OperatedLine): Promise<void> {
    const { random, nextNumber } = this.#parts;
    const number = nextNumber();
    const story: Story = {
      key: `a-key-of-a-handoff-${number}`,
      message: `Please call me back ${number}`,
      handoffId: "",
      conversationId: "",
      isTaken: false,
      said: [],
      pending: undefined,
      ending: undefined,
      hasEnded: false,
    };
    this.#stories.push(story);
    await this.#open(line, story);
    await this.#take(line, story);
    for (let left = Math.floor(random() * (MAX_SAID + 1)); left > 0; left--) {
      story.pending = {
        by: random() < 0.5 ? "operator" : "visitor",
        text: `${INPUT} ${nextNumber()}`,
      };
      await this.#say(line, story);
    }
    story.ending = random() < 0.7 ? "close" : "release";
    await this.#end(line, story, story.ending);
  }

  async #open(line: OperatedLine, story: Story): Promise<void> {
    const { tally } = this.#parts;
    const answer = await askAsVisitor<Opened>(line, "POST", "/handoff", {
      body: { botId: HELPING, message: story.message },
      headers: { "Idempotency-Key": story.key },
    });
    if (!this.#isDone(answer, "POST /handoff")) return;
    const { handoffId, conversationId } = answer.body;
    if (story.handoffId !== "" && story.handoffId !== handoffId)
      tally.note("secondAnswers", `the key ${story.key} opened a second hand-off`);
    if (story.handoffId === "") tally.tried.handoffs++;
    Object.assign(story, { handoffId, conversationId });
  }

  async #take(line: OperatedLine, story: Story): Promise<void> {
    const answer = await ask<Row>(line, "POST", `/handoffs/${story.handoffId}/take`);
    if (this.#isDone(answer, "take")) story.isTaken = true;
  }

  /** What is pending; said again under the same key it is said once. */
  async #say(line: OperatedLine, story: Story): Promise<void> {
    const { pending, handoffId, conversationId } = story;
    if (!pending) return;
    const { by, text } = pending;
    const headers = { "Idempotency-Key": `the key of ${text}`.replaceAll(" ", "-") };
    const answer =
      by === "operator"
        ? await ask(line, "POST", `/handoffs/${handoffId}/messages`, { body: { text }, headers })
        : await askAsVisitor(line, "POST", "/chat", {
            body: { botId: HELPING, conversationId, input: text },
            headers,
          });
    story.pending = undefined;
    if (!this.#isDone(answer, `a message of the ${by}`)) return;
    story.said.push(pending);
    this.#parts.tally.tried.saidToPeople++;
  }

  async #end(line: OperatedLine, story: Story, how: "close" | "release"): Promise<void> {
    const answer = await ask<Row>(line, "POST", `/handoffs/${story.handoffId}/${how}`);
    if (this.#isDone(answer, how)) story.hasEnded = true;
  }

  #isDone({ status, body }: Asked<unknown>, what: string): boolean {
    if (status === 200) return true;
    this.#parts.tally.note("unexpected", `${what} got ${status}: ${JSON.stringify(body)}`);
    return false;
  }

  async check(line: OperatedLine, place: string, isLast: boolean): Promise<void> {
    if (isLast) this.#compared = 0;
    for (const story of this.#stories.slice(this.#compared)) {
      // Who has no answer asks again under the same key.
      await this.#open(line, story);
      if (story.isTaken && story.ending === undefined) await this.#say(line, story);
      await this.#compare(line, story, `${place}: ${story.handoffId}`);
    }
    this.#compared = this.#stories.length;
  }

  async #compare(line: OperatedLine, story: Story, place: string): Promise<void> {
    const { tally } = this.#parts;
    const row = await ask<Row>(line, "GET", `/handoffs/${story.handoffId}`);
    if (row.status !== 200) return tally.note("lost", `${place}: a hand-off`);
    if (row.body.fields.message !== story.message)
      tally.note("halfStored", `${place}: ${JSON.stringify(row.body)}`);
    if (!statesOf(story).includes(row.body.state))
      tally.note("lost", `${place}: is ${row.body.state}, not ${statesOf(story).join(" or ")}`);
    const events = await ask<{ items: Event[] }>(line, "GET", `/handoffs/${story.handoffId}/events`);
    const stored = events.body.items.filter(({ kind }) => kind !== "state").map(saidAs);
    const told = story.said.map(({ by, text }) => `${by}: ${text}`);
    const missing = told.filter((text) => !stored.includes(text));
    const extra = stored.length - new Set(stored).size;
    tally.note("lost", `${place}: ${missing.join(", ")}`, missing.length);
    tally.note("secondAnswers", `${place}: ${stored.join(", ")}`, extra);
    if (missing.length + extra === 0 && stored.join("\n") !== told.join("\n"))
      tally.note("outOfOrder", `${place}: ${stored.join(", ")}, not ${told.join(", ")}`);
    const cameAndWent = events.body.items.filter(({ kind }) => kind === "state").map(({ text }) => text);
    if (new Set(cameAndWent).size !== cameAndWent.length)
      tally.note("secondAnswers", `${place}: ${cameAndWent.join(", ")}`);
  }
}

function saidAs({ kind, text }: Event): string {
  return `${kind}: ${text}`;
}

/** In which a hand-off may be. */
function statesOf({ isTaken, ending, hasEnded }: Story): string[] {
  const ended = ending === undefined ? [] : [ending === "close" ? "closed" : "open"];
  if (hasEnded) return ended;
  return isTaken ? ["live", ...ended] : ["open", "live"];
}
