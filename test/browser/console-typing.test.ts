import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import { parse } from "yaml";

import { type BotsOfService, serveBots } from "../support/console-bots.ts";
import { type ConsolePage, openConsole } from "../support/console-page.ts";
import { type ConsoleService, startConsoleService } from "../support/console-service.ts";
import { eventually } from "../support/eventually.ts";

setDefaultTimeout(120_000);

let service: ConsoleService;
let bots: BotsOfService;
beforeEach(async () => {
  service = await startConsoleService();
  bots = serveBots(service);
});
afterEach(() => service[Symbol.asyncDispose]());

const opened = (path: string): Promise<ConsolePage> => openConsole(service.url, path);

describe("a search in conversations", () => {
  test("keeps the spaces of whoever rests between words", async () => {
    await using open = await opened("/conversations");
    const search = open.page.getByLabel("Search messages");
    await search.pressSequentially("where ");
    await open.page.waitForURL("**/conversations?q=where");
    await drawn(open);
    await search.pressSequentially("is");
    await open.page.waitForURL("**/conversations?q=where+is");
    await drawn(open);
    expect(await search.inputValue()).toBe("where is");
    await open.page.goBack();
    await open.page.goForward();
    await eventually(async () => expect(await search.inputValue()).toBe("where is"));
  });

  test("follows the address, and gives filters among the words to the line below", async () => {
    await using open = await opened("/conversations?q=order");
    const search = open.page.getByLabel("Search messages");
    expect(await search.inputValue()).toBe("order");
    await search.fill("order intent:orders.* ");
    await open.page.waitForURL(/intent=orders/);
    await eventually(async () => expect(await search.inputValue()).toBe("order "));
    await open.page.getByRole("button", { name: /remove the filter/ }).click();
    await search.press("End");
    await search.pressSequentially("late");
    await open.page.waitForURL(/q=order\+late/);
    expect(new URL(open.page.url()).searchParams.has("intent")).toBe(false);
    await open.page.getByRole("link", { name: "Conversations" }).first().click();
    await eventually(async () => expect(await search.inputValue()).toBe(""));
  });
});

/** Waits until what a change of the address leads to is drawn. */
const drawn = ({ page }: ConsolePage) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

test("a message that is tried again stands in the field, and is judged", async () => {
  await using open = await opened("/conversations/cv_sample00000000000001");
  const { page } = open;
  const link = page.getByRole("link", { name: "Try it again" });
  const input = new URL((await link.getAttribute("href"))!, service.url).searchParams.get("q")!;
  expect(input.length).toBeGreaterThan(5);
  await link.click();
  const field = page.getByLabel("Your message");
  await field.waitFor();
  expect(await field.inputValue()).toBe(input);
  await page.getByText(/as you type/).waitFor();
});

describe("keys", () => {
  test("do nothing behind a dialog", async () => {
    await using open = await opened("/improve/ig_0");
    const { page } = open;
    await page.getByRole("radio", { name: /payments.methods/ }).check();
    const publish = page.getByRole("button", { name: /Publish version 3/ });
    await eventually(() => publish.isEnabled());
    await page.locator("h1").click();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keys" });
    await dialog.waitFor();
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/improve/ig_0");
    expect([bots.versions.length, await publish.isEnabled()]).toEqual([2, true]);
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/improve$/);
  });
});

describe("copying", () => {
  /** The console at an address that browsers call insecure. */
  async function plainHttp(path: string): Promise<ConsolePage> {
    const open = await openConsole(service.url, path);
    await open.page.route("http://parley.test/**", async (route) => {
      const { pathname, search } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: `${service.url}${pathname}${search}` }) });
    });
    await open.open(`http://parley.test${path}`);
    expect(await open.page.evaluate(() => isSecureContext)).toBe(false);
    return open;
  }

  /** What stands on the clipboard. */
  async function pasted({ page }: ConsolePage): Promise<string> {
    await page.evaluate(() => {
      const field = document.createElement("textarea");
      field.id = "pasted";
      document.body.append(field);
      field.focus();
    });
    await page.keyboard.press("Control+V");
    return page.locator("#pasted").inputValue();
  }

  async function makeKey({ page }: ConsolePage): Promise<string> {
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog", { name: "New key" });
    await dialog.getByLabel("Label").fill("nightly");
    await dialog.getByRole("button", { name: "Create the key" }).click();
    return (await page.getByLabel("Key", { exact: true }).textContent())!;
  }

  test("works over plain http, for what is shown once, a link and a bot's text", async () => {
    await using open = await plainHttp("/operators");
    const { page } = open;
    const key = await makeKey(open);
    const copy = page.getByRole("button", { name: "Copy", exact: true });
    await copy.click();
    await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
    expect(await pasted(open)).toBe(key);
    await open.open("http://parley.test/conversations/cv_sample00000000000001");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("The link is copied.").waitFor();
    expect(await pasted(open)).toBe("http://parley.test/conversations/cv_sample00000000000001");
    bots.versions.pop();
    await open.open("http://parley.test/bots/acme-support/basics");
    await page.getByRole("button", { name: "Copy the YAML" }).click();
    await page.getByText("The YAML is copied.").waitFor();
    expect(await pasted(open)).toBe(bots.versions[0]!.yaml);
  });

  test("says where the browser does not let it, and selects what is shown once", async () => {
    await using open = await opened("/operators");
    const { page } = open;
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
      Object.defineProperty(document, "execCommand", { value: () => false });
    });
    await open.open("/operators");
    const key = await makeKey(open);
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("The text is selected: copy it with the keyboard.").waitFor();
    expect(await page.evaluate(() => String(getSelection()))).toBe(key);
    await open.open("/conversations/cv_sample00000000000001");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText(/Copy the address from the address bar/).waitFor();
    expect(open.troubles).toEqual([]);
  });
});

describe("saving a draft", () => {
  /** The console at a bot; it notes of each draft that is sent whether it outlives the page. */
  async function noting(path: string) {
    const open = await opened(path);
    const { page } = open;
    await page.addInitScript(() => {
      const kept: boolean[] = [];
      Object.assign(globalThis, { kept });
      const send = fetch;
      globalThis.fetch = ((input, init) => {
        if (init?.method === "PUT") kept.push(init.keepalive === true);
        return send(input, init);
      }) as typeof fetch;
    });
    await open.open(path);
    const kept = () => page.evaluate(() => (globalThis as unknown as { kept: boolean[] }).kept);
    return { open, kept, greeting: page.getByLabel("Greeting (Markdown)") };
  }

  const KIB = 1024;
  const words = (bytes: number) => "again ".repeat(bytes / 6).trim();
  const isSaved = (text: string) => () =>
    bots.draft !== undefined && parse(bots.draft.yaml).welcomeMessage === text;

  test("outlives the page up to the bound of browsers, and is sent all the same beyond it", async () => {
    const { open, kept, greeting } = await noting("/bots/acme-support/basics");
    await using _ = open;
    for (const text of ["Hello", words(64 * KIB)]) {
      await greeting.fill(text);
      await eventually(isSaved(text));
    }
    expect(await kept()).toEqual([true, false]);
    expect(open.troubles).toEqual([]);
  });

  test("counts what is on its way already towards that bound", async () => {
    const released = Promise.withResolvers<void>();
    for (const [route, answer] of service.answers)
      service.answers.set(route.replace("acme-support", "other"), answer);
    const save = service.answers.get("PUT /bots/acme-support/draft")!;
    service.answers.set("PUT /bots/acme-support/draft", async (request) => {
      await released.promise;
      return save(request);
    });
    const { open, kept, greeting } = await noting("/bots/acme-support/basics");
    await using _ = open;
    await greeting.fill(words(16 * KIB));
    await eventually(async () => expect(await kept()).toEqual([true]));
    await open.page.evaluate(() => {
      history.pushState(null, "", "/bots/other/basics");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await open.page.waitForURL("**/bots/other/basics");
    await eventually(async () => expect(await greeting.inputValue()).not.toStartWith("again"));
    await greeting.fill(words(15 * KIB));
    await eventually(isSaved(words(15 * KIB)));
    expect(await kept()).toEqual([true, false]);
    released.resolve();
    expect(open.troubles).toEqual([]);
  });
});
