import { eventually } from "../../support/eventually.ts";
import { send } from "../callers.ts";
import { botNamed, INPUT } from "../folder.ts";
import { ask, type OperatedLine, ServerGone } from "./ask.ts";
import type { Deed, DeedParts } from "./deed.ts";

const BOT = "going";
const MESSAGES = 40;
const AT_ONCE = 4;
/** Longer than a server takes to learn of a bot. */
const TRIES = 60;

/** One operator makes a bot, visitors talk to it, and it is deleted; again and again under the same id. */
export class Deleting implements Deed {
  readonly hands = 1;
  readonly #parts: DeedParts;
  #isThere = false;
  #pending: "create" | "delete" | undefined;
  /** Conversations of the bot that is there, and of those that were deleted. */
  #kept: string[] = [];
  #deleted: string[] = [];

  constructor(parts: DeedParts) {
    this.#parts = parts;
  }

  async act(line: OperatedLine): Promise<void> {
    if (!this.#isThere) await this.#create(line);
    const { status, body } = await ask<{ token: string }>(line, "POST", "/tokens", { body: { bots: [BOT] } });
    if (status !== 201) return this.#parts.tally.note("unexpected", `POST /tokens: ${status}`);
    const { token } = body;
    const talk = async () => {
      for (let n = 0; n < MESSAGES / AT_ONCE; n++) await this.#say({ ...line, token });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, talk));
    await this.#delete(line);
  }

  async #create(line: OperatedLine): Promise<void> {
    this.#pending = "create";
    const yaml = JSON.stringify(botNamed(BOT));
    const { status, body } = await ask(line, "POST", "/bots", { body: { yaml } });
    this.#pending = undefined;
    if (status !== 201)
      return this.#parts.tally.note("unexpected", `POST /bots: ${status} ${JSON.stringify(body)}`);
    this.#isThere = true;
  }

  /** A bot and its token are known within a second. */
  async #say(line: OperatedLine): Promise<void> {
    const input = `${INPUT} ${this.#parts.nextNumber()}`;
    for (let left = TRIES; left > 0; left--) {
      const answer = await send(line, { botId: BOT, input });
      if (answer === undefined) throw new ServerGone(line.url);
      if (answer.status === 200) return void this.#kept.push(answer.conversationId);
      await Bun.sleep(50);
    }
    this.#parts.tally.note("unexpected", "a bot that was made was not live within three seconds");
  }

  async #delete(line: OperatedLine): Promise<void> {
    this.#pending = "delete";
    const { status } = await ask(line, "DELETE", `/bots/${BOT}`);
    this.#pending = undefined;
    if (status !== 204) return this.#parts.tally.note("unexpected", `DELETE /bots: ${status}`);
    this.#forget();
    this.#parts.tally.tried.botsDeleted++;
  }

  #forget(): void {
    this.#isThere = false;
    this.#deleted.push(...this.#kept.splice(0));
  }

  async check(line: OperatedLine, place: string, isLast: boolean): Promise<void> {
    const { tally } = this.#parts;
    const isStored = (await ask(line, "GET", `/bots/${BOT}`)).status === 200;
    if (this.#pending === undefined && isStored !== this.#isThere)
      tally.note("lost", `${place}: ${BOT} ${isStored ? "is back" : "is gone"}`);
    if (isStored) this.#isThere = true;
    else this.#forget();
    this.#pending = undefined;
    for (const id of this.#kept) {
      if (!(await isConversation(line, id))) tally.note("lost", `${place}: ${id} of ${BOT}`);
    }
    for (const id of isLast ? this.#deleted : this.#deleted.slice(-AT_ONCE)) {
      if (await isConversation(line, id)) tally.note("notErased", `${place}: ${id} of ${BOT}`);
    }
    if (isLast) await this.#waitForTheEnd(place);
  }

  /** Cleaning goes on after a restart, and ends. */
  async #waitForTheEnd(place: string): Promise<void> {
    const { folder, tally } = this.#parts;
    const left = async () =>
      (
        await folder.rows<{ id: string }>(
          "SELECT deleted_as AS id FROM bot_rows WHERE deleted_as IS NOT NULL",
        )
      ).length;
    await eventually(async () => (await left()) === 0).catch((error: unknown) => {
      tally.note("notErased", `${place}: deleted bots are still being erased: ${String(error)}`);
    });
    const orphans = await folder.rows(
      "SELECT id FROM conversations WHERE bot_key NOT IN (SELECT key FROM bot_rows)",
    );
    tally.note("notErased", `${place}: conversations of no bot`, orphans.length);
  }
}

async function isConversation(line: OperatedLine, id: string): Promise<boolean> {
  return (await ask(line, "GET", `/conversations/${id}`)).status === 200;
}
