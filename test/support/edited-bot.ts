import { addressOf, type askTagged, type Tagged } from "../../src/console/api/client.ts";
import { offlineProblem, problemOf } from "../../src/console/api/problem.ts";
import type { AnswerOf, RouteName } from "../../src/console/api/routes.ts";
import { type BotApi, botApi } from "../../src/console/draft/bot-api.ts";
import { type TestOperator, signIn } from "./operators.ts";
import type { TestParley } from "./parley.ts";

/** A delayed request. */
interface Held {
  /** Resolves when it was sent. */
  readonly isSent: Promise<void>;
  /** Forwards it to the server. */
  readonly release: () => void;
}

/** The network between a browser and a server, as slow and unreliable as a test needs. */
export class Network {
  /** Every request that has reached the server. */
  readonly arrived: RouteName[] = [];
  /** `requests`: none reaches the server; `answers`: the server handles requests, but its answers are lost. */
  loses: "nothing" | "requests" | "answers" = "nothing";
  readonly #held = new Map<RouteName, { sent: () => void; released: Promise<void> }>();
  readonly #failing = new Map<RouteName, number>();

  /** Delays the next request of a route. */
  hold(route: RouteName): Held {
    const sent = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#held.set(route, { sent: sent.resolve, released: released.promise });
    return { isSent: sent.promise, release: released.resolve };
  }

  /** Answers the next requests of a route by 502 before they reach the server. */
  failNext(route: RouteName, times = 1): void {
    this.#failing.set(route, times);
  }

  /** Sends requests as the console's client does. */
  client(operator: TestOperator): typeof askTagged {
    return async <Name extends RouteName>(
      ...[route, input, extras = {}]: Parameters<typeof askTagged<Name>>
    ) => {
      await this.#pass(route);
      const response = await operator.ask(
        route.slice(0, route.indexOf(" ")),
        pathOf(route, input as object),
        {
          body: (input as { body?: unknown }).body,
          headers: extras.ifMatch === undefined ? {} : { "If-Match": extras.ifMatch },
        },
      );
      this.arrived.push(route);
      if (this.loses === "answers") throw offlineProblem();
      if (!response.ok) throw await problemOf(response);
      const text = await response.text();
      const answer = (text === "" ? undefined : JSON.parse(text)) as AnswerOf<Name>;
      return { answer, etag: response.headers.get("etag") ?? undefined } satisfies Tagged<AnswerOf<Name>>;
    };
  }

  async #pass(route: RouteName): Promise<void> {
    const held = this.#held.get(route);
    this.#held.delete(route);
    held?.sent();
    await held?.released;
    if (this.loses === "requests") throw offlineProblem();
    const failures = this.#failing.get(route) ?? 0;
    this.#failing.set(route, failures - 1);
    if (failures > 0) throw await problemOf(new Response("bad gateway", { status: 502 }));
  }
}

function pathOf(route: RouteName, input: object): string {
  return addressOf(route, input).slice("/api/v1".length);
}

let made = 0;

/** A bot of a real server, edited by several operators. */
export class EditedBot {
  readonly id: string;
  readonly #parley: TestParley;

  private constructor(parley: TestParley, id: string) {
    this.#parley = parley;
    this.id = id;
  }

  /** @param yaml the bot file without its id. */
  static async make(parley: TestParley, yaml: string): Promise<EditedBot> {
    const bot = new EditedBot(parley, `edited-${(made += 1)}`);
    const editor = await signIn(parley, "eve", "editor");
    await editor.json("POST", "/bots", { yaml: bot.text(yaml) });
    return bot;
  }

  text(yaml: string): string {
    return `id: ${this.id}\n${yaml}`;
  }

  /** The API as one operator's console uses it. */
  async api(who: string, network = new Network()): Promise<BotApi> {
    return botApi(this.id, network.client(await signIn(this.#parley, who, "editor")));
  }

  /** The published version, and the draft; undefined if there is none. */
  async stored(): Promise<{
    version: number;
    yaml: string;
    draft: string | undefined;
    by: string | undefined;
    restoredFrom: number | undefined;
  }> {
    const { bots, botDrafts } = this.#parley.store;
    const { key, version } = (await bots.find(this.id))!;
    const { yaml, restoredFrom } = (await bots.findWritten(key, version))!;
    const draft = await botDrafts.find(key);
    return { version, yaml: yaml!, draft: draft?.yaml, by: draft?.updatedBy, restoredFrom };
  }
}
