import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { inEveryView } from "../support/axe.ts";
import { openConsole } from "../support/console-page.ts";
import { apiProblem, type ConsoleService, startConsoleService } from "../support/console-service.ts";

setDefaultTimeout(120_000);

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsoleService();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Shown {
  name: string;
  path: string;
  /** What is there once the page is drawn. */
  until: string;
  reach?: (page: Page) => Promise<void>;
}

const PAGES: readonly Shown[] = [
  {
    name: "Overview",
    path: "/",
    until: ".uplot canvas",
    reach: (page) => page.getByText("Show as a table").click(),
  },
  { name: "Conversations", path: "/conversations?decision=refused", until: "[data-row]" },
  { name: "a conversation", path: "/conversations/cv_sample00000000000001", until: ".steps" },
  { name: "Tokens", path: "/tokens", until: ".body table" },
  { name: "a new token", path: "/tokens?new=1", until: "dialog[open]" },
  { name: "Models", path: "/models", until: ".body table" },
  { name: "Audit", path: "/audit", until: ".body table" },
  { name: "Hand-offs", path: "/handoffs", until: ".row-link" },
  {
    name: "a hand-off",
    path: "/handoffs/ho_4",
    until: "[role=log] .bubble",
    reach: (page) => page.getByText(/Messages with the bot: 3/).click(),
  },
  { name: "Deliveries", path: "/deliveries", until: ".body table" },
  {
    name: "sending again",
    path: "/deliveries",
    until: ".body table",
    reach: (page) => page.getByRole("button", { name: "Send again" }).last().click(),
  },
  { name: "no deliveries", path: "/deliveries?bot=city-kiosk", until: ".empty" },
  { name: "Health", path: "/health", until: ".body table" },
  { name: "Operators", path: "/operators", until: ".body table" },
  {
    name: "the keys",
    path: "/tokens",
    until: ".body table",
    reach: (page) => page.keyboard.press("?"),
  },
  { name: "no page", path: "/nowhere", until: ".empty" },
];

describe("axe finds nothing in either scheme, at no width", () => {
  test.each(PAGES)("on $name", async ({ path, until, reach }) => {
    service.role = "owner";
    await using open = await openConsole(service.url, path);
    await open.page.locator(until).first().waitFor();
    await reach?.(open.page);
    expect(await inEveryView(open.page)).toEqual([]);
  });

  test("at the door", async () => {
    service.role = undefined;
    await using open = await openConsole(service.url, "/");
    await open.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await open.page.getByLabel("Name").fill("x");
    await open.page.getByLabel("Password").fill("wrong");
    await open.page.keyboard.press("Enter");
    await open.page.getByRole("alert").waitFor();
    expect(await inEveryView(open.page)).toEqual([]);
  });

  test("where a viewer may not, and where something failed", async () => {
    service.role = "viewer";
    service.answers.set("GET /models", () =>
      apiProblem(503, "STORAGE_UNAVAILABLE", "The database does not answer."),
    );
    await using open = await openConsole(service.url, "/tokens");
    await open.page.locator("[aria-disabled=true]").first().waitFor();
    expect(await inEveryView(open.page)).toEqual([]);
    await open.open("/models");
    await open.page.getByRole("alert").waitFor();
    expect(await inEveryView(open.page)).toEqual([]);
    service.answers.clear();
  });
});
