import { signal } from "@preact/signals";

import type { TryResult } from "../../../domain/operator/conversations.ts";
import { ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";

/** Which version answers. */
export type Versions = "live" | "draft" | "both";

/** What one version made of a message. */
export type Reply = { kind: "answered"; result: TryResult } | { kind: "failed"; problem: Problem };

/** A message and what came of it; `undefined`: not asked, or not there yet. */
export interface Exchange {
  input: string;
  live?: Reply;
  draft?: Reply;
}

/** A chat that is kept in this tab alone: neither stored nor counted, and gone with the page. */
export class TryChat {
  readonly exchanges = signal<readonly Exchange[]>([]);
  readonly isAsking = signal(false);
  readonly #bot: string;

  constructor(bot: string) {
    this.#bot = bot;
  }

  /** What was said before is said again, so that follow-ups work. */
  async say(input: string, versions: Versions, draftYaml: string): Promise<void> {
    const before = this.exchanges.peek().map((exchange) => exchange.input);
    this.isAsking.value = true;
    this.exchanges.value = [...this.exchanges.peek(), { input }];
    const [live, draft] = await Promise.all([
      versions === "draft" ? undefined : this.ask(input, before),
      versions === "live" ? undefined : this.ask(input, before, draftYaml),
    ]);
    const exchange = { input, ...(live && { live }), ...(draft && { draft }) };
    this.exchanges.value = [...this.exchanges.peek().slice(0, -1), exchange];
    this.isAsking.value = false;
  }

  /** What a version makes of a message, without it being part of the chat. */
  async ask(input: string, before: readonly string[], yaml?: string, stop?: AbortSignal): Promise<Reply> {
    try {
      const body = { input, before: before.slice(-MOST_BEFORE), ...(yaml !== undefined && { yaml }) };
      const result = await ask(
        "POST /bots/:bot/try",
        { path: { bot: this.#bot }, body },
        { ...(stop && { signal: stop }) },
      );
      return { kind: "answered", result };
    } catch (error) {
      return { kind: "failed", problem: asProblem(error) };
    }
  }

  startOver(): void {
    this.exchanges.value = [];
  }
}

/** As the API takes at most. */
const MOST_BEFORE = 20;

/** Whether two versions came to the same: outcome, intent and words. */
export function isSameReply(one: Reply | undefined, other: Reply | undefined): boolean {
  if (one?.kind !== "answered" || other?.kind !== "answered") return false;
  const key = ({ result: { outcome, intent, response } }: typeof one) =>
    JSON.stringify([outcome, intent, response]);
  return key(one) === key(other);
}
