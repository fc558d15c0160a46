import type { BotSummary } from "../../src/domain/operator/bots.ts";
import { type BotsOfService, serveBots } from "./console-bots.ts";
import {
  AUDIT,
  BOTS,
  CONVERSATIONS,
  conversationOf,
  DELIVERIES,
  HANDOFF_EVENTS,
  HANDOFFS,
  KEYS,
  OPERATORS,
  TOKENS,
} from "./console-data.ts";
import { answerTo, type ConsoleService } from "./console-service.ts";

const MANY_BOTS = 211;

/** Bots of an agency, named after its customers; some names are long. */
export const MANY: readonly BotSummary[] = Array.from({ length: MANY_BOTS }, (_, at) =>
  at === 150
    ? BOTS[0]!
    : {
        ...BOTS[1]!,
        id: `customer-${at + 1}`,
        name:
          at % 10 === 0 ? `Customer ${at + 1}, Wholesale and Retail of Bicycles Ltd` : `Customer ${at + 1}`,
        enabled: at % 25 !== 3,
      },
);

/** Copies of the rows with new ids. */
function many<Row extends { id: string }>(rows: readonly Row[], times: number): Row[] {
  return Array.from({ length: times }, (_, at) => ({
    ...rows[at % rows.length]!,
    id: `${rows[0]!.id}_${at}`,
  }));
}

/** Gives a stand-in 211 bots, one of them editable, and lists that are longer than any window. */
export function serveMany(service: ConsoleService): BotsOfService {
  const bots = serveBots(service);
  bots.groups = [
    ...bots.groups,
    ...many(bots.groups, 60).map((group, at) => ({
      ...group,
      messages: group.messages.map((message) => ({ ...message, text: `${message.text} (${at})` })),
    })),
  ];
  const on = (route: string, answer: (request: Request) => Response) => service.answers.set(route, answer);
  on("GET /bots", () => answerTo("GET /bots", { items: [...MANY] }));
  const said = conversationOf(CONVERSATIONS[0]!.id)!;
  on(`GET /conversations/${said.id}`, () =>
    answerTo("GET /conversations/:id", {
      ...said,
      turns: Array.from({ length: 12 }, (_, round) =>
        said.turns.map((turn) => ({ ...turn, requestId: `${turn.requestId}${round}` })),
      ).flat(),
    }),
  );
  const conversations = many(CONVERSATIONS, 90);
  for (const { id } of conversations)
    on(`GET /conversations/${id}`, () => answerTo("GET /conversations/:id", { ...said, id }));
  on("GET /conversations", ({ url }) => {
    const isNewer = new URL(url).searchParams.has("newer");
    const items = isNewer ? [] : [...CONVERSATIONS, ...conversations];
    return answerTo("GET /conversations", { items, next: isNewer ? null : "on", newest: "1" });
  });
  const waiting = many(
    HANDOFFS.filter(({ state }) => state === "open"),
    80,
  );
  for (const row of waiting)
    on(`GET /handoffs/${row.id}`, () => answerTo("GET /handoffs/:id", { ...row, mayTake: true }));
  on("GET /handoffs", ({ url }) => {
    const isWaiting = new URL(url).searchParams.has("waiting");
    const items = isWaiting ? waiting : HANDOFFS.filter(({ state }) => state === "live");
    return answerTo("GET /handoffs", { items, next: null });
  });
  on("GET /handoffs/count", () => answerTo("GET /handoffs/count", { waiting: 128, failedNotices: 0 }));
  on("GET /handoffs/ho_4/events", ({ url }) => {
    const after = Number(new URL(url).searchParams.get("after"));
    const event = HANDOFF_EVENTS.find(({ kind }) => kind === "visitor");
    const items = Array.from({ length: 60 }, (_, at) => ({ ...event!, number: at + 1 }));
    return answerTo("GET /handoffs/:id/events", { items: items.filter(({ number }) => number > after) });
  });
  on("GET /deliveries", () => answerTo("GET /deliveries", { items: many(DELIVERIES, 100), next: "on" }));
  on("GET /audit", () =>
    answerTo("GET /audit", {
      items: Array.from({ length: 100 }, (_, at) => AUDIT[at % AUDIT.length]!),
      next: "on",
    }),
  );
  on("GET /tokens", () =>
    answerTo("GET /tokens", {
      items: many(TOKENS, 90).map((token, at) => ({
        ...token,
        bots: at === 0 ? MANY.map(({ id }) => id) : token.bots,
      })),
    }),
  );
  on("GET /keys", () => answerTo("GET /keys", { items: many(KEYS, 40) }));
  on("GET /operators", () =>
    answerTo("GET /operators", {
      items: Array.from({ length: 40 }, (_, at) => ({
        ...OPERATORS[at % OPERATORS.length]!,
        name: `op${at}@acme`,
      })),
    }),
  );
  return bots;
}
