import { signal } from "@preact/signals";

import type { TryRequest, TryResult } from "../../../domain/operator/conversations.ts";
import { ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";

/** Which version answers. */
export type Versions = "live" | "draft" | "both";

/** What one version made of a message. */
export type Reply = { kind: "answered"; result: TryResult } | { kind: "failed"; problem: Problem };

type Side = "live" | "draft";

/** What came of a message; `undefined`: not asked, or not there yet. */
export type Replies = { readonly [Version in Side]?: Reply };

/** A message and what came of it. */
export interface Exchange extends Replies {
  readonly input: string;
}

/** What all versions are asked. */
type Question = Pick<TryRequest, "input" | "judgeOnly" | "callEndpoints">;

/** A chat that is neither stored nor counted: its messages are in this tab alone, and what its versions know of it in the server. */
export class TryChat {
  readonly exchanges = signal<readonly Exchange[]>([]);
  readonly isAsking = signal(false);
  /** Endpoints of actions are really called, where one version answers. */
  readonly callsEndpoints = signal(false);
  readonly #bot: string;
  #stopping = new AbortController();

  constructor(bot: string) {
    this.#bot = bot;
  }

  /** Sends a message. Nothing comes of it where the chat is started over, or left, meanwhile. */
  async say(input: string, versions: Versions, draftYaml: string): Promise<void> {
    const { signal: stop } = this.#stopping;
    const callEndpoints = this.callsEndpoints.peek() && versions !== "both";
    const asked = this.#ask(versions, draftYaml, { input, ...(callEndpoints && { callEndpoints }) }, stop);
    this.isAsking.value = true;
    this.exchanges.value = [...this.exchanges.peek(), { input }];
    const replies = await asked;
    if (stop.aborted) return;
    this.exchanges.value = [...this.exchanges.peek().slice(0, -1), { input, ...replies }];
    this.isAsking.value = false;
  }

  /** What the versions would make of a message, as far as they know without a model. */
  judge(input: string, versions: Versions, draftYaml: string, stop: AbortSignal): Promise<Replies> {
    return this.#ask(versions, draftYaml, { input, judgeOnly: true }, stop);
  }

  /** Nobody waits for an answer any more, and what is said next begins another chat. */
  startOver(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.isAsking.value = false;
    this.exchanges.value = [];
  }

  async #ask(versions: Versions, draftYaml: string, question: Question, stop: AbortSignal): Promise<Replies> {
    const [live, draft] = await Promise.all([
      versions === "draft" ? undefined : this.#askOne("live", question, stop),
      versions === "live" ? undefined : this.#askOne("draft", { ...question, yaml: draftYaml }, stop),
    ]);
    return { ...(live && { live }), ...(draft && { draft }) };
  }

  async #askOne(side: Side, question: TryRequest, stop: AbortSignal): Promise<Reply> {
    const exchanges = this.exchanges.peek();
    const conversation = conversationOf(exchanges, side);
    const before = exchanges.map(({ input }) => input).slice(-MOST_BEFORE);
    const body = { ...question, before, ...(conversation !== undefined && { conversation }) };
    try {
      const result = await ask("POST /bots/:bot/try", { path: { bot: this.#bot }, body }, { signal: stop });
      return { kind: "answered", result };
    } catch (error) {
      return { kind: "failed", problem: asProblem(error) };
    }
  }
}

/** As the API takes at most. */
const MOST_BEFORE = 20;

/** What a version goes on from: the last that it answered, or the other version where it was not asked. */
function conversationOf(exchanges: readonly Exchange[], side: Side): string | undefined {
  const other = side === "live" ? "draft" : "live";
  const last = exchanges
    .map((exchange) => exchange[side] ?? exchange[other])
    .findLast((reply) => reply?.kind === "answered");
  return last?.kind === "answered" ? last.result.conversation : undefined;
}

/** Whether two versions came to the same: outcome, intent and words. */
export function isSameReply(one: Reply | undefined, other: Reply | undefined): boolean {
  if (one?.kind !== "answered" || other?.kind !== "answered") return false;
  const key = ({ result: { outcome, intent, response } }: typeof one) =>
    JSON.stringify([outcome, intent, response]);
  return key(one) === key(other);
}
