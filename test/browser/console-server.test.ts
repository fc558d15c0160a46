import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";

import { inEveryView } from "../support/axe.ts";
import { shopBot } from "../support/bots.ts";
import { HOSTILE } from "../support/console-data.ts";
import { type ConsolePage, openConsole, openSignedIn } from "../support/console-page.ts";
import { journey, test } from "../support/journey.ts";
import { linkSecretOf, signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

setDefaultTimeout(120_000);

const NAME = "ann@example.com";
const PASSWORD = "correct horse battery";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ bots: [shopBot({ name: "Linden & Loom" })] });
  await parley.store.operators.add({ name: NAME, role: "owner" });
  for (const input of ["where is my order", "delete my account", HOSTILE, "what is the meaning of life"]) {
    const answer = await parley.chat(
      { botId: "shop", input },
      { headers: { "User-Agent": HOSTILE.replace(/[^ -~]/g, "") } },
    );
    expect(answer.status).toBe(200);
  }
});
afterAll(() => parley[Symbol.asyncDispose]());

/** The console with the session of an operator of that role. */
async function openAs(role: "owner" | "viewer", path: string): Promise<ConsolePage> {
  const operator = await signIn(parley, role === "owner" ? NAME : "night-shift", role);
  return openSignedIn(parley.server.localOperatorUrl, operator, path);
}

describe("the console of a running server", () => {
  test("a new operator comes in by a link, sets a password, goes, and comes back by it", async () => {
    const secret = await linkSecretOf(parley, NAME);
    await using open = await openConsole(parley.server.localOperatorUrl, `/sign-in#link=${secret}`);
    const { page } = open;
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.getByLabel("Name").fill(NAME);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await open.open(`/sign-in#link=${secret}`);
    await page.getByText("This link did not sign you in").waitFor();
    expect(open.troubles).toEqual([]);
  });

  test("counts what visitors said, and leads to it", async () => {
    await using open = await openAs("owner", "/?period=24h");
    const { page } = open;
    await page.getByText("25.0 % of 4 messages were answered").waitFor();
    await page.locator(".uplot canvas").first().waitFor();
    await page.getByRole("link", { name: "orders.status" }).click();
    await page.locator("li:only-child > [data-row]", { hasText: "where is my order" }).waitFor();
    expect(open.troubles).toEqual([]);
  });

  journey("shows what was said with its receipt, finds it by its words, and erases it", async () => {
    await using open = await openAs("owner", "/conversations?decision=refused");
    const { page } = open;
    await page.locator("[data-row]", { hasText: "delete my account" }).click();
    await page.locator(".receipt .verdict").waitFor();
    expect(await page.locator(".said").textContent()).toBe("delete my account");
    await page.locator(".replied", { hasText: "That is not for a bot to do." }).waitFor();
    await page.getByText("Steps of the decision").waitFor();
    await open.open("/conversations?q=meaning");
    await page.locator("[data-row]", { hasText: "what is the meaning of life" }).click();
    await page.getByRole("button", { name: /Delete/ }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("The conversation is erased.").waitFor();
    await open.open("/audit");
    await page
      .getByRole("cell", { name: /erased/ })
      .first()
      .waitFor();
    await page.getByRole("rowheader").first().waitFor();
    expect(await page.getByText(NAME).count()).toBeGreaterThan(0);
    expect(open.troubles).toEqual([]);
  });

  test("a message that comes while somebody looks appears by itself", async () => {
    await using open = await openAs("owner", "/conversations");
    const { page } = open;
    await page.locator("[data-row]").first().waitFor();
    await parley.chat({ botId: "shop", input: "track my parcel please" });
    await page.locator("[data-row]", { hasText: "track my parcel please" }).waitFor();
    expect(await page.locator("[data-row]").first().textContent()).toContain("track my parcel please");
  });

  test("what a visitor wrote stays text in every view that shows it", async () => {
    await using open = await openAs("owner", "/conversations");
    const { page } = open;
    await page.locator("[data-row]", { hasText: "<img src=x" }).click();
    await page.locator(".said", { hasText: "<script>" }).waitFor();
    await page.locator(".quote", { hasText: "<script>" }).waitFor();
    for (const path of ["/", "/improve", "/audit"]) {
      await open.open(path);
      await page.locator(".body, .split").first().waitFor();
    }
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).not.toContain("pwned");
    expect(open.troubles).toEqual([]);
  });

  test("a token that is made is shown once, lets a visitor in, and is revoked", async () => {
    await using open = await openAs("owner", "/tokens?new=1");
    const { page } = open;
    const dialog = page.getByRole("dialog", { name: "New token" });
    await dialog.getByLabel("Label").fill("the shop");
    await dialog.getByRole("button", { name: "Create the token" }).click();
    const shown = page.getByLabel("Token", { exact: true });
    const token = (await shown.textContent())!;
    const call = () => parley.chat({ botId: "shop", input: "tell me a joke" }, { token });
    expect((await call()).status).toBe(200);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page
      .getByRole("row", { name: /the shop/ })
      .getByRole("button", { name: "Revoke…" })
      .click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("The token is revoked.").waitFor();
    while ((await call()).status === 200) await Bun.sleep(50);
    expect((await call()).status).toBe(401);
  });

  test.each([
    ["/models", "No model server"],
    ["/health", "Checks"],
    ["/operators", "Keys for scripts"],
    ["/audit", "Changes, newest first"],
  ])("%s is read from the server", async (path, text) => {
    await using open = await openAs("owner", path);
    await open.page.getByText(text).first().waitFor({ state: "attached" });
    expect(await open.page.getByRole("alert").count()).toBe(0);
    expect(open.troubles).toEqual([]);
  });

  test("a viewer is shown what only others may do, off", async () => {
    await using open = await openAs("viewer", "/tokens");
    expect(await open.page.getByRole("button", { name: "New token" }).getAttribute("aria-disabled")).toBe(
      "true",
    );
    await open.open("/operators");
    await open.page.getByText(/an owner can do this/).waitFor();
    expect(open.troubles).toEqual([]);
  });
});

describe("help", () => {
  test("is one click away, on what is shown", async () => {
    await using open = await openAs("owner", "/handoffs");
    const [help] = await Promise.all([
      open.page.waitForEvent("popup"),
      open.page.getByRole("link", { name: "Help" }).first().click(),
    ]);
    await help.getByRole("heading", { name: "Hand-off and notices" }).waitFor();
    await help.getByRole("link", { name: "When a notice fails" }).click();
    expect(new URL(help.url()).hash).toBe("#when-a-notice-fails");
    expect(open.troubles).toEqual([]);
  });

  test("is readable in either scheme, at every width", async () => {
    await using open = await openConsole(parley.server.localOperatorUrl, "/help/privacy");
    await open.page.getByRole("heading", { name: "Privacy and erasure" }).waitFor();
    expect(await inEveryView(open.page)).toEqual([]);
    expect(open.troubles).toEqual([]);
  });

  test("is a page without scripts, for whoever reaches the listener", async () => {
    const get = (path: string) => fetch(`${parley.server.localOperatorUrl}${path}`);
    const page = await get("/help/backups");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none'; style-src 'self'; ");
    const html = await page.text();
    expect(html).toContain('<code class="language-sh">parley backup\n');
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
    expect(await (await get("/help")).text()).toContain("Operating Parley</h1>");
    expect((await get("/help/nowhere")).status).toBe(404);
  });
});

describe("the page of the console", () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${parley.server.localOperatorUrl}${path}`, { headers: { Accept: "text/html", ...headers } });

  test("lets nothing run but its own files, and is never cached nor framed", async () => {
    const response = await get("/conversations/cv_1");
    expect(response.status).toBe(200);
    const policy = response.headers.get("content-security-policy")!;
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "require-trusted-types-for 'script'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split("; ")).toContain(directive);
    }
    expect(policy).not.toContain("unsafe");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
  });

  test("its files are named after their content, and cached for ever", async () => {
    const html = await (await get("/")).text();
    const paths = Array.from(html.matchAll(/"(\/assets\/[^"]+)"/g), ([, path]) => path!);
    expect(paths.length).toBe(2);
    for (const path of paths) {
      const file = await get(path, { "Accept-Encoding": "br" });
      expect(file.status).toBe(200);
      expect(file.headers.get("content-encoding")).toBe("br");
      expect(file.headers.get("cache-control")).toContain("immutable");
      expect(path).toMatch(/-[0-9a-z]{8}\.(?:js|css)$/);
    }
  });

  test("is not what an unknown route of the API, an unknown file or a script gets", async () => {
    expect((await get("/api/v1/nothing")).status).toBe(404);
    expect((await get("/assets/nothing.js")).status).toBe(404);
    const script = await get("/conversations", { Accept: "application/json" });
    expect([script.status, script.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
  });
});
