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

import type { Page } from "playwright-core";

import { exportBot } from "../../src/seed/export-bot.ts";
import { shopBot } from "../support/bots.ts";
import { type ConsolePage, openConsole } from "../support/console-page.ts";
import { eventually } from "../support/eventually.ts";
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
  bot = `drafted-${(made += 1)}`;
  await colleague.json("POST", "/bots", { yaml: exportBot(shopBot({ id: bot })) });
  view = await openConsole(
    parley.server.localOperatorUrl,
    `/sign-in#link=${await linkSecretOf(parley, "ann")}`,
  );
  await view.page.getByRole("button", { name: "Later" }).click();
  await view.page.getByRole("heading", { name: "Overview" }).waitFor();
  await view.open(`/bots/${bot}/basics`);
});
afterEach(() => view[Symbol.asyncDispose]());

const nameField = (page: Page) => page.getByLabel("Name", { exact: true });
const isPut = (route: { request(): { method(): string } }) => route.request().method() === "PUT";

async function stored(): Promise<{ version: number; name: string; draft: string | undefined }> {
  const { key, version, document } = (await parley.store.bots.find(bot))!;
  return { version, name: document.name, draft: (await parley.store.botDrafts.find(key))?.yaml };
}
const draftHas = (text: string) => eventually(async () => expect((await stored()).draft).toContain(text));

/** Goes to what would change, and waits until it may be published. */
async function readyToPublish(page: Page): Promise<void> {
  await page.keyboard.press("Control+Enter");
  await page.getByText("Live within a second").waitFor();
}

test("on a Mac the Command key does what Control does elsewhere, and the buttons say so", async () => {
  const { page } = view;
  await page.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
  await page.reload();
  await nameField(page).fill("Spring");
  await page.getByRole("link", { name: "Show the changes ⌘ ↵" }).waitFor();
  await page.keyboard.press("Meta+Enter");
  await page.getByText("Live within a second").waitFor();
  await page.getByRole("button", { name: /^Publish.*⌘ ↵$/ }).waitFor();
});

describe("what is typed while a version is published", () => {
  test("stays in the field, becomes the next draft, and is there after a reload", async () => {
    const { page } = view;
    await nameField(page).fill("Spring");
    await readyToPublish(page);
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route(`**/api/v1/bots/${bot}`, async (route) => {
      if (isPut(route)) {
        asked.resolve();
        await released.promise;
      }
      await route.continue();
    });
    await page.getByRole("button", { name: "Publish version 2" }).click();
    await asked.promise;
    await page.getByRole("link", { name: "Basics" }).click();
    await nameField(page).fill("Spring and summer");
    released.resolve();
    await page.getByText(/Version 2 is live/).waitFor();
    await draftHas("Spring and summer");
    expect(await stored()).toMatchObject({ version: 2, name: "Spring" });
    expect(await nameField(page).inputValue()).toBe("Spring and summer");
    await page.reload();
    await eventually(async () => expect(await nameField(page).inputValue()).toBe("Spring and summer"));
    expect(await page.getByText("Nothing was overwritten").count()).toBe(0);
    expect(view.troubles).toEqual([]);
  });

  test("stays where the publication is taken back", async () => {
    const { page } = view;
    await nameField(page).fill("Spring");
    await readyToPublish(page);
    await page.getByRole("button", { name: "Publish version 2" }).click();
    await page.getByText(/Version 2 is live/).waitFor();
    await page.getByRole("link", { name: "Basics" }).click();
    await nameField(page).fill("Spring and summer");
    await page.getByRole("button", { name: /Undo/ }).click();
    await page.getByText(/Undone: version 3 has the text of version 1/).waitFor();
    expect(await nameField(page).inputValue()).toBe("Spring and summer");
    await draftHas("Spring and summer");
    expect(await stored()).toMatchObject({ version: 3, name: "Shop" });
  });
});

test("saving goes on after a clash whose other side could not be read", async () => {
  const { page } = view;
  const theirs = exportBot(shopBot({ id: bot, maxInputLength: 999 }));
  await colleague.json("PUT", `/bots/${bot}/draft`, { yaml: theirs, baseVersion: 1 });
  await page.route(`**/api/v1/bots/${bot}/draft`, (route) =>
    isPut(route) ? route.continue() : route.fulfill({ status: 502, body: "bad gateway" }),
  );
  await nameField(page).fill("Mine");
  await page.getByText("The answer (status 502) did not come from Parley").waitFor();
  await page.unroute(`**/api/v1/bots/${bot}/draft`);
  await nameField(page).fill("Mine too");
  await page.getByText("Changes by bob").waitFor();
  await page.getByRole("button", { name: /Apply my changes/ }).click();
  await draftHas("Mine too");
  await draftHas("maxInputLength: 999");
  await nameField(page).fill("Mine three");
  await draftHas("Mine three");
});

describe("taking back", () => {
  test("what was left leaves what was edited elsewhere since", async () => {
    const { page } = view;
    await nameField(page).fill("Spring");
    await draftHas("Spring");
    await view.open(`/bots/${bot}/changes`);
    await page.getByRole("button", { name: "Discard the draft" }).click();
    await page.getByRole("link", { name: "Basics" }).click();
    await page.getByLabel("Characters per message").fill("777");
    await page.getByRole("button", { name: /Undo/ }).click();
    await draftHas("name: Spring");
    await draftHas("maxInputLength: 777");
  });

  test("where the same line was edited since changes nothing, and says why", async () => {
    const { page } = view;
    await nameField(page).fill("Spring");
    await draftHas("Spring");
    await view.open(`/bots/${bot}/changes`);
    await page.getByRole("button", { name: "Discard the draft" }).click();
    await page.getByRole("link", { name: "Basics" }).click();
    await nameField(page).fill("Summer");
    await page.getByRole("button", { name: /Undo/ }).click();
    await page.getByText(/the same lines were edited since/).waitFor();
    expect(await nameField(page).inputValue()).toBe("Summer");
    await draftHas("Summer");
  });
});

describe("leaving the page", () => {
  test("warns of what is not saved, and of nothing else", async () => {
    const { page } = view;
    const kinds: string[] = [];
    page.on("dialog", (dialog) => {
      kinds.push(dialog.type());
      void dialog.dismiss();
    });
    await nameField(page).fill("Saved");
    await draftHas("Saved");
    await eventually(() => page.getByText("draft, saved").isVisible());
    await page.reload();
    await nameField(page).waitFor();
    expect(kinds).toEqual([]);
    await page.route(`**/api/v1/bots/${bot}/draft`, (route) => route.abort());
    await nameField(page).fill("Not saved");
    await page.getByText("Parley does not respond").first().waitFor();
    await page.close({ runBeforeUnload: true });
    await eventually(() => expect(kinds).toEqual(["beforeunload"]));
    expect(await nameField(page).inputValue()).toBe("Not saved");
  });

  test("a moment after typing loses nothing, although the answer is waited for by nobody", async () => {
    const { page } = view;
    page.on("dialog", (dialog) => void dialog.accept());
    await nameField(page).fill("The last words");
    await page.goto("about:blank");
    await draftHas("The last words");
  });
});

describe("signing out", () => {
  test("saves what was typed, and leaves neither lines to take back nor text to whoever is next", async () => {
    const { page } = view;
    await nameField(page).fill("Ann's");
    await draftHas("Ann's");
    await view.open(`/bots/${bot}/changes`);
    await page.getByRole("button", { name: "Discard the draft" }).click();
    await page.getByRole("link", { name: "Basics" }).click();
    await nameField(page).fill("Ann's last words");
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await draftHas("Ann's last words");
    const body = { password: "correct horse battery" };
    await (await signIn(parley, "carol", "editor")).json("PUT", "/session/password", body);
    await page.getByLabel("Name").fill("carol");
    await page.getByLabel("Password").fill(body.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await nameField(page).waitFor();
    expect(await page.locator(".toast").count()).toBe(0);
  });

  test("says where it failed, and asks before text is lost", async () => {
    const { page } = view;
    await page.route("**/api/v1/session", (route) =>
      route.request().method() === "DELETE" ? route.fulfill({ status: 502, body: "bad" }) : route.continue(),
    );
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.getByText(/You are still signed in/).waitFor();
    await page.unroute("**/api/v1/session");
    await page.route(`**/api/v1/bots/${bot}/draft`, (route) => route.fulfill({ status: 502, body: "bad" }));
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await nameField(page).fill("Not saved");
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await eventually(() => expect(asked).toEqual([expect.stringContaining("unsaved text")]));
    expect(await nameField(page).inputValue()).toBe("Not saved");
  });
});

test("Enter that ends a composition chooses a word, and goes nowhere", async () => {
  const { page } = view;
  await page.getByRole("button", { name: "Go to, or search" }).click();
  const field = page.getByRole("dialog").getByRole("combobox");
  await field.fill("Audit");
  await field.evaluate((input) => {
    const enter = { key: "Enter", bubbles: true, cancelable: true };
    input.dispatchEvent(new KeyboardEvent("keydown", { ...enter, isComposing: true }));
    // Safari's way of saying the same.
    input.dispatchEvent(new KeyboardEvent("keydown", { ...enter, keyCode: 229 }));
  });
  expect(new URL(page.url()).pathname).toBe(`/bots/${bot}/basics`);
  await field.press("Enter");
  await page.waitForURL("**/audit");
});

test("faults are listed once, and what was sent all the same is sent once", async () => {
  const { page } = view;
  const yaml = exportBot(
    shopBot({
      id: bot,
      capabilityProfile: { deny: ["account.delte"] },
      tests: [{ utterance: "where is my order", decision: "DENY_LIST" }],
    }),
  );
  await colleague.json("PUT", `/bots/${bot}/draft`, { yaml, baseVersion: 1 });
  await page.reload();
  await nameField(page).waitFor();
  const sent: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT" && request.url().endsWith(`/bots/${bot}`))
      sent.push((request.postDataJSON() as { acceptFaults: unknown }).acceptFaults);
  });
  await readyToPublish(page);
  const question = page.getByRole("dialog", { name: "Publish with faults?" });
  const press = (name: string) => page.getByRole("button", { name }).click();
  await press("Publish version 2");
  await question.getByText(/account\.delte matches no intent of this bot/).waitFor();
  await question
    .getByText(/the test "where is my order" fails: decision is allowed, not DENY_LIST/)
    .waitFor();
  await press("Cancel");
  await question.waitFor({ state: "detached" });
  expect(await stored()).toMatchObject({ version: 1, draft: yaml });
  await press("Publish version 2");
  await press("Publish anyway");
  await page.getByText(/Version 2 is live/).waitFor();
  expect(sent).toEqual([false, false, true]);
  expect(await stored()).toMatchObject({ version: 2, draft: undefined });
  expect(view.troubles).toEqual([]);
});

test("a new bot without a domain is not made before it was said what visitors get", async () => {
  const { page } = view;
  await view.open("/bots");
  await page.getByRole("button", { name: "New bot" }).click();
  await nameField(page).fill(`Nowhere ${bot}`);
  await page.getByText("Without a domain, every message gets 403.").waitFor();
  await page.getByRole("button", { name: "Create without a domain" }).waitFor();
  await page.getByLabel("Allowed domains").fill("shop.example");
  await page.getByRole("button", { name: "Create", exact: true }).waitFor();
  expect(await page.getByText("Without a domain, every message gets 403.").count()).toBe(0);
});

test("what publishing would change says that a bot without a domain answers nobody", async () => {
  const { page } = view;
  const yaml = exportBot(shopBot({ id: bot, allowedDomains: [] }));
  await colleague.json("PUT", `/bots/${bot}/draft`, { yaml, baseVersion: 1 });
  await page.reload();
  await nameField(page).waitFor();
  await readyToPublish(page);
  await page.getByText(/allowedDomains is empty, so that every message gets 403/).waitFor();
});

test("a new bot whose name has no Latin letters says that it needs an id", async () => {
  const { page } = view;
  await view.open("/bots");
  await page.getByRole("button", { name: "New bot" }).click();
  await nameField(page).fill("購物助手");
  await page.getByText("The name has no Latin letters or digits: type an id.").waitFor();
  const make = page.getByRole("button", { name: "Create" });
  expect(await make.isDisabled()).toBe(true);
  await page.getByLabel("Id", { exact: true }).fill(`shop-${bot}`);
  expect(await make.isEnabled()).toBe(true);
});
