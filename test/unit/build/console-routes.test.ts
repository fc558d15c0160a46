import { expect, test } from "bun:test";

import { CONSOLE_ROUTES, consoleRoutesModule } from "../../../src/build/console-routes.ts";

test("the console's client is typed by the routes as they are; else `npm run console:routes` writes them anew", async () => {
  expect(await Bun.file(CONSOLE_ROUTES).text()).toBe(await consoleRoutesModule());
});
