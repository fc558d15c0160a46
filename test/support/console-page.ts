import type { BrowserContextOptions, Page } from "playwright-core";

import type { TestOperator } from "./operators.ts";
import { lendPage } from "./profiles.ts";

/** The console in a profile with empty storage. */
export interface ConsolePage extends AsyncDisposable {
  readonly page: Page;
  /** Errors of the page and of its console, and violations of its policies. */
  readonly troubles: string[];
  /** Goes to an address of the console, and waits until its page is rendered. */
  open(path: string): Promise<void>;
}

/** Opens the console of a server at an address. */
export async function openConsole(
  url: string,
  path: string,
  context: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const { page, giveBack } = await lendPage({
    viewport: { width: 1440, height: 900 },
    timezoneId: "UTC",
    ...context,
  });
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    // The browser logs every refused request itself; the tests check the console's reaction.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      troubles.push(message.text());
    }
  });
  const open = async (to: string) => {
    await page.goto(new URL(to, url).href);
    await page.locator("h1").waitFor();
  };
  await open(path);
  return {
    page,
    troubles,
    open,
    [Symbol.asyncDispose]: giveBack,
  };
}

/** The same with the session of a signed-in operator. */
export async function openSignedIn(
  url: string,
  { credentials }: Pick<TestOperator, "credentials">,
  path: string,
): Promise<ConsolePage> {
  const [name, value] = credentials.Cookie!.split("=");
  const open = await openConsole(url, "/sign-in");
  await open.page.context().addCookies([{ name: name!, value: value!, url }]);
  await open.open(path);
  return open;
}
