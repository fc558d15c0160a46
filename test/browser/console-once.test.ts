import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";

import { exportBot } from "../../src/seed/export-bot.ts";
import { shopBot } from "../support/bots.ts";
import { type ConsolePage, openConsole } from "../support/console-page.ts";
import { linkSecretOf, type TestOperator, signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

setDefaultTimeout(120_000);

let parley: TestParley;
let colleague: TestOperator;
beforeAll(async () => {
  parley = await startParley();
  await parley.store.operators.add({ name: "ann", role: "owner" });
  colleague = await signIn(parley, "bob", "editor");
});
afterAll(() => parley[Symbol.asyncDispose]());

let made = 0;
let bot = "";
let view: ConsolePage;
beforeEach(async () => {
  bot = `once-${(made += 1)}`;
  await colleague.json("POST", "/bots", { yaml: named("First") });
  view = await openConsole(
    parley.server.localOperatorUrl,
    `/sign-in#link=${await linkSecretOf(parley, "ann")}`,
  );
  await view.page.getByRole("button", { name: "Later" }).click();
  await view.page.getByRole("heading", { name: "Overview" }).waitFor();
});
afterEach(() => view[Symbol.asyncDispose]());

const named = (name: string) => exportBot(shopBot({ id: bot, name }));
const press = (name: string) => view.page.getByRole("button", { name, exact: true });

/** Both presses come before the page is drawn anew. */
const pressTwice = (name: string) =>
  press(name).evaluate((button) => {
    (button as HTMLButtonElement).click();
    (button as HTMLButtonElement).click();
  });

/** Holds what is sent by a method to addresses with that end until it is released, and counts it. */
async function slow(method: string, end: string) {
  const sent: string[] = [];
  const released = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  await view.page.route(`**/api/v1${end}`, async (route) => {
    if (route.request().method() === method) {
      sent.push(route.request().url());
      first.resolve();
      await released.promise;
    }
    await route.continue();
  });
  return { sent, first: first.promise, release: released.resolve };
}

/** Bob publishes a version; the page of ann does not know of it. */
async function bobPublishes(yaml: string): Promise<void> {
  const etag = (await colleague.ask("GET", `/bots/${bot}`)).headers.get("etag")!;
  const answer = await colleague.ask("PUT", `/bots/${bot}`, {
    body: { yaml },
    headers: { "If-Match": etag },
  });
  expect(answer.status).toBe(200);
}

async function readyToPublish(name: string): Promise<void> {
  await view.open(`/bots/${bot}/basics`);
  await view.page.getByLabel("Name", { exact: true }).fill(name);
  await view.page.keyboard.press("Control+Enter");
  await view.page.getByText("Live within a second").waitFor();
}

describe("publishing", () => {
  test("is sent once, however often it is pressed, and from whichever page", async () => {
    const { page } = view;
    await readyToPublish("Second");
    const { sent, first, release } = await slow("PUT", `/bots/${bot}`);
    await pressTwice("Publish version 2 Ctrl ↵");
    await page.keyboard.press("Control+Enter");
    await first;
    await page.getByRole("link", { name: "Basics" }).click();
    await page.keyboard.press("Control+Enter");
    const button = page.getByRole("button", { name: "Publishing …" });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    await page.keyboard.press("Control+Enter");
    release();
    await page.getByText(/Version 2 is live/).waitFor();
    await button.waitFor({ state: "detached" });
    expect(sent).toHaveLength(1);
    expect(await page.locator(".toast").count()).toBe(1);
  });

  test("names the colleague who was first, and shows both changes", async () => {
    const { page } = view;
    await readyToPublish("Second");
    await bobPublishes(named("Bob's"));
    await page.keyboard.press("Control+Enter");
    await page.getByText("Not published: bob published version 2 in the meantime.").waitFor();
    await page.getByText("Changes by bob").waitFor();
  });
});

describe("going back to a version", () => {
  test("goes live by publishing, once, however often it is pressed", async () => {
    const { page } = view;
    await bobPublishes(named("Second"));
    await bobPublishes(named("Third"));
    await view.open(`/bots/${bot}/versions`);
    await pressTwice("Restore version 1");
    await page.getByText("Live within a second").waitFor();
    expect((await parley.store.bots.find(bot))!.version).toBe(3);
    const { sent, first, release } = await slow("POST", `/bots/${bot}/versions/*/restore`);
    await pressTwice("Publish version 4 Ctrl ↵");
    await first;
    release();
    await page.getByText(/Version 4 is live/).waitFor();
    expect(sent).toHaveLength(1);
  });

  test("names the colleague who was first", async () => {
    await bobPublishes(named("Second"));
    await view.open(`/bots/${bot}/versions`);
    await press("Restore version 1").click();
    await view.page.getByText("Live within a second").waitFor();
    await bobPublishes(named("Third"));
    await view.page.keyboard.press("Control+Enter");
    await view.page.getByText("Not published: bob published version 3 in the meantime.").waitFor();
    expect((await parley.store.bots.find(bot))!.document.name).toBe("Third");
  });

  test("taking a publication back names the colleague who has published since", async () => {
    const { page } = view;
    await readyToPublish("Second");
    await page.keyboard.press("Control+Enter");
    await page.getByText(/Version 2 is live/).waitFor();
    await bobPublishes(named("Third"));
    await page.getByRole("button", { name: /Undo/ }).click();
    await page.getByText(/Not (undone|restored): bob published version 3 in the meantime\./).waitFor();
  });
});

describe("a new bot", () => {
  beforeEach(async () => {
    await view.open("/bots");
    await press("New bot…").click();
    await view.page.getByLabel("Allowed domains").fill("shop.example");
  });

  test("is made once", async () => {
    const { page } = view;
    await page.getByLabel("Name", { exact: true }).fill(`Made ${bot}`);
    const { sent, first, release } = await slow("POST", "/bots");
    await pressTwice("Create");
    await first;
    await page.getByLabel("Name", { exact: true }).press("Enter");
    release();
    await page.getByText("is created. Add intents to it.").waitFor();
    expect(sent).toHaveLength(1);
  });

  test("whose id a colleague has taken meanwhile says who", async () => {
    const { page } = view;
    await page.getByLabel("Name", { exact: true }).fill(`Taken ${bot}`);
    await colleague.json("POST", "/bots", { yaml: exportBot(shopBot({ id: `taken-${bot}` })) });
    await press("Create").click();
    await page.getByText("bob published a bot with this id in the meantime. Choose another id.").waitFor();
  });
});

test("a password is sent once", async () => {
  const { page } = view;
  await parley.store.operators.add({ name: "cleo", role: "viewer" });
  await page.context().clearCookies();
  await view.page.goto(
    `${parley.server.localOperatorUrl}/sign-in#link=${await linkSecretOf(parley, "cleo")}`,
  );
  await page.getByLabel("Password").fill("correct horse battery");
  const { sent, first, release } = await slow("PUT", "/session/password");
  await pressTwice("Save the password");
  await first;
  await page.getByLabel("Password").press("Enter");
  release();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  expect(sent).toHaveLength(1);
});
