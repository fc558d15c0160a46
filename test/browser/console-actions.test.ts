import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";

import { parse } from "yaml";

import { exportBot } from "../../src/seed/export-bot.ts";
import { type ConsolePage, openSignedIn } from "../support/console-page.ts";
import { EndpointServer } from "../support/endpoint-server.ts";
import { eventually } from "../support/eventually.ts";
import { test } from "../support/journey.ts";
import { signIn, type TestOperator } from "../support/operators.ts";
import { ordersBot } from "../support/orders-bot.ts";
import { type TestParley, startParley } from "../support/parley.ts";

setDefaultTimeout(120_000);

/** A bot for each test, so that none has another's draft. */
const BOTS = ["written", "renamed", "mistaken", "moved", "undone", "begun", "tried", "twice"].map((id) =>
  ordersBot({ id }),
);

let orders: EndpointServer;
let parley: TestParley;
let ann: TestOperator;
beforeAll(async () => {
  orders = new EndpointServer();
  orders.answer = () => Response.json({ state: "packing" });
  const settings = orders.settings({ bots: BOTS.map(({ id }) => id) });
  const endpoints = JSON.stringify({ orders: settings, "order-changes": settings });
  parley = await startParley({ bots: BOTS, flags: { encoder: "off", endpoints } });
  ann = await signIn(parley, "ann");
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  orders[Symbol.dispose]();
});

const opened = (path: string) => openSignedIn(parley.server.localOperatorUrl, ann, path);

/** Undefined where nothing is changed. */
const writtenOf = (bot: string) => ann.json<{ yaml: string } | undefined>("GET", `/bots/${bot}/draft`);

async function draftOf(bot: string) {
  const { yaml } = (await writtenOf(bot))!;
  const { intents } = parse(yaml) as ReturnType<typeof ordersBot>;
  return { yaml, of: (name: string) => intents!.find((intent) => intent.name === name)! };
}

const entry = ({ page }: ConsolePage, name: string) => page.getByRole("group", { name, exact: true });

describe("slots and actions as forms", () => {
  test("what is written in a form stands in the YAML, and what no form holds stays", async () => {
    const text = exportBot(BOTS[0]!).replace("    action:\n", "    # asked of the warehouse\n    action:\n");
    await ann.json("PUT", "/bots/written/draft", { yaml: text, baseVersion: 1 });
    await using open = await opened("/bots/written/intents/orders.status");
    const { page } = open;
    await page.getByLabel("Path and query").fill("/v2/orders/{orderNumber}?email={email}");
    await entry(open, "value 1").getByLabel("Question").fill("Which order?");
    await entry(open, "answer 1").getByLabel("Condition").fill("status = 404, 410");
    await page.getByRole("button", { name: "Another value" }).click();
    await entry(open, "value 3").getByLabel("Name").fill("speed");
    await entry(open, "value 3").getByLabel("Kind").selectOption("choice");
    await entry(open, "choice 2").getByLabel("Value for the endpoint").fill("fast");
    await entry(open, "choice 2").getByLabel("Synonyms").fill("express, quick");
    await entry(open, "value 3")
      .getByLabel(/^Optional/)
      .check();
    await eventually(async () => {
      const { yaml, of } = await draftOf("written");
      expect(yaml).toContain("# asked of the warehouse");
      const { slots, action } = of("orders.status");
      expect(slots![0]!.ask).toBe("Which order?");
      expect(slots![2]).toEqual({
        name: "speed",
        type: "choice",
        pattern: "[0-9]{5}",
        choices: [{ value: "first" }, { value: "fast", synonyms: ["express", "quick"] }],
        ask: "What is it?",
        optional: true,
      });
      expect(action!.path).toBe("/v2/orders/{orderNumber}?email={email}");
      expect(action!.answers[0]).toEqual({
        when: { status: [404, 410] },
        say: "I find no order with that number and address.",
      });
    });
    expect(open.troubles).toEqual([]);
  });

  test("a value that is renamed is renamed wherever the action says it", async () => {
    await using open = await opened("/bots/renamed/intents/orders.cancel");
    const { page } = open;
    const name = entry(open, "value 1").getByLabel("Name");
    await name.fill("email");
    await page.getByText("Another value has this name.").waitFor();
    await name.fill("order");
    await name.blur();
    await eventually(async () => {
      const { slots, action } = (await draftOf("renamed")).of("orders.cancel");
      expect(slots!.map((slot) => slot.name)).toEqual(["order", "email"]);
      expect(action).toMatchObject({
        path: "/orders/{order}/cancel",
        proof: ["order", "email"],
        confirm: "Cancel order {order}?",
        answers: [{ when: { status: 409 } }, { say: "Order {order} is cancelled." }],
      });
    });
    expect(await page.getByLabel("Path and query").inputValue()).toBe("/orders/{order}/cancel");
    expect(open.troubles).toEqual([]);
  });

  test("a mistake is said at its field, and what is not JSON does not reach the YAML", async () => {
    await using open = await opened("/bots/mistaken/intents/orders.cancel");
    const { page } = open;
    await page.getByLabel("Body (JSON)").fill('{"email": ');
    await page.getByText("Write a JSON object, for example").waitFor();
    expect(await writtenOf("mistaken")).toBeUndefined();
    await page.getByLabel("Body (JSON)").fill('{"email": "{email}", "by": "chat"}');
    await page.getByLabel("Confirmation question").fill("Cancel {order}?");
    await page.getByText("there is no slot").first().waitFor();
    expect(await page.getByLabel("Confirmation question").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Path and query").getAttribute("aria-invalid")).toBe("false");
    await page.getByRole("checkbox", { name: "email", exact: true }).uncheck();
    await page.getByRole("checkbox", { name: "orderNumber", exact: true }).uncheck();
    await eventually(async () => {
      const { action } = (await draftOf("mistaken")).of("orders.cancel");
      expect(action!.body).toEqual({ email: "{email}", by: "chat" });
      expect(action).not.toHaveProperty("proof");
    });
    expect(open.troubles).toEqual([]);
  });

  test("an answer is moved before the one that fits everything", async () => {
    await using open = await opened("/bots/moved/intents/orders.cancel");
    const { page } = open;
    await page.getByRole("button", { name: "Another answer" }).click();
    await entry(open, "answer 3").getByRole("button", { name: "Move up" }).click();
    await eventually(async () => {
      const { answers } = (await draftOf("moved")).of("orders.cancel").action!;
      expect(answers.map(({ when }) => when?.["status"])).toEqual([409, 404, undefined]);
    });
    expect(open.troubles).toEqual([]);
  });

  test("written answers give way to an action, and come back by undoing", async () => {
    await using open = await opened("/bots/undone/intents/store.hours");
    const { page } = open;
    const isOn = page.getByRole("checkbox", { name: /^Call an endpoint/ });
    await isOn.check();
    await eventually(async () => {
      const { action, responses } = (await draftOf("undone")).of("store.hours");
      expect(action?.endpoint).toBe("orders");
      expect(responses).toBeUndefined();
    });
    await page.getByLabel("Answer when the call fails").waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("z");
    const answer = page.getByRole("textbox", { name: "answer 1", exact: true });
    expect(await answer.inputValue()).toBe("We are open from nine to six.");
    await eventually(async () => expect(await writtenOf("undone")).toBeUndefined());
    expect(open.troubles).toEqual([]);
  });
});

describe("a new action", () => {
  test("begins without a fault, and offers the endpoints and methods that the bot may call", async () => {
    await using open = await opened("/bots/begun/intents/store.hours");
    const { page } = open;
    await page.getByRole("checkbox", { name: /^Call an endpoint/ }).check();
    const endpoint = page.getByRole("combobox", { name: "Endpoint" });
    await endpoint.waitFor();
    expect(await endpoint.locator("option").allTextContents()).toEqual(["orders", "order-changes"]);
    await page.getByText("Allowed are /orders/* and /orders/*/cancel").waitFor();
    const methods = await page.getByLabel("Method").locator("option").allTextContents();
    expect(methods.filter((says) => !says.includes("forbids"))).toEqual([
      "GET: looks something up",
      "POST: does something",
    ]);
    // The server's check has arrived: the action still needs a proof.
    await page.locator(".cm-lint-marker-error").waitFor();
    expect(await page.locator(".fault, [aria-invalid=true]").count()).toBe(0);
    await page.getByLabel("Answer when the call fails").fill("Try again later.");
    await page.locator(".notice.fault", { hasText: "the action needs" }).waitFor();
    expect(open.troubles).toEqual([]);
  });
});

describe("trying a bot with actions", () => {
  const isOn = ({ page }: ConsolePage) => page.getByRole("checkbox", { name: "Call endpoints" });

  async function say(open: ConsolePage, text: string, answer: string) {
    await open.page.getByLabel("Your message").fill(text);
    await open.page.getByLabel("Your message").press("Enter");
    await open.page.locator(".turn").last().getByText(answer).waitFor();
  }

  test("calls its endpoints once that is switched on", async () => {
    await using open = await opened("/try/tried");
    const { page } = open;
    await say(open, "where is my order 48213, ann@example.org", "GET /orders/48213?email=ann%40example.org");
    expect(orders.requests).toEqual([]);
    await isOn(open).check();
    await page.getByText("Actions are really carried out.").waitFor();
    await say(open, "and order 48214", "It is being packed.");
    expect(orders.requests.map(({ path }) => path)).toEqual(["/orders/48214?email=ann%40example.org"]);
    expect(open.troubles).toEqual([]);
  });

  test("calls none where live version and draft both answer", async () => {
    const yaml = exportBot(ordersBot({ id: "twice", name: "Draft" }));
    await ann.json("PUT", "/bots/twice/draft", { yaml, baseVersion: 1 });
    await using open = await opened("/try/twice?version=both");
    await open.page.getByText("Both versions would carry out an action twice.").waitFor();
    expect(await isOn(open).isDisabled()).toBe(true);
    expect(open.troubles).toEqual([]);
  });
});
