import { botNamed, EDITED } from "../folder.ts";
import { ask, askAsVisitor, type OperatedLine } from "./ask.ts";
import type { Deed, DeedParts } from "./deed.ts";

interface Version {
  version: number;
  yaml: string;
  document: { welcomeMessage: string };
}

interface EditedBot {
  id: string;
  /** All texts that were sent, whatever came of them. */
  sent: Set<string>;
  /** Texts of versions, as they were acknowledged. */
  told: Map<number, string>;
  /** The versions up to here were compared. */
  compared: number;
}

const STALE_SHARE = 0.2;
const RETRAINED_SHARE = 0.2;

/** Several editors publish versions of the same bots, each in the place of the one that it has seen. */
export class Publishing implements Deed {
  readonly hands = 3;
  readonly #parts: DeedParts;
  readonly #bots: readonly EditedBot[] = EDITED.map((id) => ({
    id,
    sent: new Set<string>(),
    told: new Map<number, string>(),
    compared: 1,
  }));

  constructor(parts: DeedParts) {
    this.#parts = parts;
  }

  async act(line: OperatedLine): Promise<void> {
    const { random, tally, nextNumber } = this.#parts;
    const bot = this.#bots[Math.floor(random() * this.#bots.length)]!;
    const { body: seen } = await ask<Version>(line, "GET", `/bots/${bot.id}`);
    const isStale = seen.version > 1 && random() < STALE_SHARE;
    const replaces = isStale ? seen.version - 1 : seen.version;
    const yaml = edition(bot.id, nextNumber(), random() < RETRAINED_SHARE);
    bot.sent.add(yaml);
    const { status, etag, body } = await ask<Version>(line, "PUT", `/bots/${bot.id}`, {
      body: { yaml, note: "torture" },
      headers: { "If-Match": `"v${replaces}"` },
    });
    if (status === 412) {
      tally.tried.clashes++;
      if (etag === `"v${replaces}"`) tally.note("unexpected", `${bot.id}: 412, though ${etag} was named`);
    } else if (status !== 200) tally.note("unexpected", `PUT /bots/${bot.id}: ${JSON.stringify(body)}`);
    else this.#keep(bot, replaces + 1, yaml, isStale);
  }

  /** Whoever publishes in the place of a version makes the one after it, and is the only one who does. */
  #keep(bot: EditedBot, version: number, yaml: string, isStale: boolean): void {
    const { tally } = this.#parts;
    if (isStale || bot.told.has(version))
      tally.note("lost", `${bot.id}: a version was overwritten that its editor had not seen`);
    bot.told.set(version, yaml);
    tally.tried.published++;
  }

  async check(line: OperatedLine, place: string, isLast: boolean): Promise<void> {
    for (const bot of this.#bots) {
      if (isLast) bot.compared = 1;
      await this.#compare(line, bot, `${place}: ${bot.id}`);
    }
  }

  async #compare(line: OperatedLine, bot: EditedBot, place: string): Promise<void> {
    const { tally } = this.#parts;
    const { body: latest } = await ask<Version>(line, "GET", `/bots/${bot.id}`);
    const found = new Set<string>();
    for (let number = bot.compared + 1; number <= latest.version; number++) {
      const { status, body } = await ask<Version>(line, "GET", `/bots/${bot.id}/versions/${number}`);
      const told = bot.told.get(number);
      if (status !== 200 || (told !== undefined && body.yaml !== told))
        tally.note("lost", `${place}: version ${number}`);
      else if (!bot.sent.has(body.yaml) || found.has(body.yaml) || !isWhole(body))
        tally.note("halfStored", `${place}: version ${number}`);
      found.add(body.yaml);
    }
    const newest = Math.max(...bot.told.keys(), 1);
    tally.note("lost", `${place}: versions above ${latest.version}`, Math.max(0, newest - latest.version));
    bot.compared = latest.version;
    const page = await askAsVisitor<{ welcomeMessage: string }>(line, "GET", `/embed-config?botId=${bot.id}`);
    if (page.body.welcomeMessage !== (latest.document.welcomeMessage ?? page.body.welcomeMessage))
      tally.note("lost", `${place}: visitors see another version than was published`);
  }
}

function isWhole({ yaml, document }: Version): boolean {
  const { welcomeMessage } = JSON.parse(yaml) as Version["document"];
  return document.welcomeMessage === welcomeMessage;
}

/** A bot file that there is one of; one that is to be trained anew has another example. */
export function edition(id: string, number: number, isRetrained = false): string {
  const more = isRetrained ? [`where is parcel ${number}`] : [];
  return JSON.stringify(botNamed(id, { welcomeMessage: `Edition ${number}` }, more));
}
