import { describe, expect, test } from "bun:test";

import { checkActions } from "../../../src/action/check-actions.ts";
import type { Endpoints } from "../../../src/config/endpoints.ts";
import type { BotId } from "../../../src/domain/ids.ts";
import { warnOfUnknownNames } from "../../../src/seed/configured-names.ts";
import { shopBot, type WrittenFields, type WrittenIntent } from "../../support/bots.ts";
import { ORDER_INTENTS } from "../../support/orders-bot.ts";

const [STATUS, CANCEL] = ORDER_INTENTS as [WrittenIntent, WrittenIntent];

function faults(intent: WrittenIntent, fields: WrittenFields = {}): string[] {
  return checkActions(shopBot({ intents: [intent], ...fields })).map(
    ({ pointer, message }) => `${pointer} ${message}`,
  );
}

const action = (fields: object, of = STATUS): WrittenIntent => ({
  ...of,
  action: { ...of.action!, ...fields },
});
const slot = (fields: object): WrittenIntent => ({
  ...STATUS,
  slots: [{ ...STATUS.slots![0]!, ...fields }, STATUS.slots![1]!],
});

describe("an action of a bot file", () => {
  test("without a fault has none", () => {
    expect(faults(STATUS)).toEqual([]);
    expect(faults(CANCEL)).toEqual([]);
  });

  test.each<[what: string, intent: WrittenIntent, fault: string]>([
    [
      "with responses, too",
      { ...STATUS, responses: ["x"] },
      "/intents/0/responses an intent has `action` or",
    ],
    [
      "that POSTs unasked",
      action({ confirm: undefined, method: "POST" }, CANCEL),
      "/intents/0/action POST changes",
    ],
    [
      "with one slot for a proof",
      action({ proof: ["email"] }),
      "/intents/0/action/proof `proof` needs at least two",
    ],
    [
      "with an unknown proof",
      action({ proof: ["email", "orderNumbr"] }),
      "no slot `orderNumbr`; did you mean",
    ],
    [
      "whose proof is not sent",
      action({ path: "/orders/{orderNumber}" }),
      "`email` is not sent to the endpoint",
    ],
    [
      "with an unknown name",
      action({ path: "/orders/{order}?email={email}&n={orderNumber}" }),
      "`{order}`: there is no slot",
    ],
    ["with an answer in its path", action({ path: "/{body.x}/{orderNumber}/{email}" }), "there is none yet"],
    [
      "with a value in its failure",
      action({ failure: "No {orderNumber}" }),
      "`failure` is said where nothing is known",
    ],
    [
      "with an unknown format",
      action({ answers: [{ say: "{body.x, day}" }] }),
      "formats are date, time, money",
    ],
    ["with an open brace", action({ answers: [{ say: "{body.x" }] }), "`{` is never closed"],
    [
      "with an unknown condition",
      action({ answers: [{ when: { state: "x" }, say: "." }] }),
      "`state` is neither",
    ],
    ...[
      "/orders/..\\..\\admin/",
      "/orders/1#/cancel/",
      "/orders/.\n./",
      "/orders/..%2fadmin/",
      "/orders//",
      "/a/../",
    ].map((path): [string, WrittenIntent, string] => [
      `with the path ${JSON.stringify(path)}`,
      action({ path: `${path}{orderNumber}/{email}` }),
      "/intents/0/action/path `path` would not be sent as it is written",
    ]),
    [
      "with a hash in its query",
      action({ path: "/orders/{orderNumber}?email={email}#x" }),
      "/intents/0/action/path `path` would not be sent",
    ],
    [
      "that tells strangers what was right",
      action({
        answers: [
          { when: { status: 404 }, say: "No such order." },
          { when: { status: 403 }, say: "Not that address." },
        ],
      }),
      "/intents/0/action/answers/1/say failed proofs have different texts",
    ],
    [
      "with an unused slot",
      action({ path: "/orders/{orderNumber}", proof: undefined }),
      "`email` is used nowhere",
    ],
    [
      "with a slow pattern",
      slot({ pattern: "([0-9]+)+" }),
      "/intents/0/slots/0/pattern `pattern` can take very long",
    ],
    ["with a text of any form", slot({ pattern: undefined }), "needs a `pattern`"],
    ["with a choice of nothing", slot({ type: "choice" }), "`choices` belong to"],
    ["with a silent slot", slot({ ask: undefined }), "a slot needs `ask`"],
    ["with a reserved name", slot({ name: "status" }), "`{status}` means something else"],
    ["with slots alone", { name: "a", slots: STATUS.slots! }, "`slots` need an `action`"],
  ])("%s is a mistake", (_, intent, fault) => {
    expect(faults(intent).join("\n")).toContain(fault);
  });

  test("that can never be filled is a mistake", () => {
    const [fault] = faults(STATUS, { capabilityProfile: { denyPatterns: ["e-mail"] } });
    expect(fault).toContain("/intents/0/slots/1/type `email` can never be filled");
  });

  test("shares types of slots with others, and knows time zones", () => {
    const other = {
      ...CANCEL,
      slots: [{ ...CANCEL.slots![0]!, type: "integer" as const }, CANCEL.slots![1]!],
    };
    const found = checkActions(shopBot({ intents: [STATUS, other], timezone: "Berlin" })).map(
      ({ message }) => message,
    );
    expect(found[0]).toContain('"Berlin" is no time zone');
    expect(found[1]).toContain("`orderNumber` is of type `text` in another intent");
  });
});

describe("an action and the configuration", () => {
  const settings = { url: "https://orders.internal", bots: ["shop" as BotId], paths: ["/orders/*"] };
  const told = (intent: WrittenIntent, endpoints: Endpoints) =>
    warnOfUnknownNames({ endpoints })(shopBot({ intents: [intent] })).map(
      ({ severity, message }) => `${severity}: ${message}`,
    );
  const unproven = action({ proof: undefined });

  test("warn of an endpoint that there is not, or that is for other bots", () => {
    expect(told(STATUS, { order: settings })[0]).toStartWith(
      "warning: the configuration has no endpoint `orders`",
    );
    expect(told(STATUS, { orders: { ...settings, bots: ["other" as BotId] } })[0]).toContain(
      "name `shop` in its `bots`",
    );
    expect(told(STATUS, { orders: settings })).toEqual([]);
  });

  test("refuse an action without a proof, unless the endpoint is public", () => {
    expect(told(unproven, { orders: settings })[0]).toStartWith("error: the action needs `proof`");
    expect(told(unproven, {})[0]).toStartWith("error: the action needs `proof`");
    expect(told(unproven, { orders: { ...settings, public: true } })).toEqual([
      "warning: anybody can call `orders` without proof, because it is public",
    ]);
  });
});
