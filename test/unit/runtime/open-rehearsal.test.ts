import { expect, spyOn, test } from "bun:test";

import { loadConfig } from "../../../src/config/config.ts";
import { openRehearsal } from "../../../src/runtime/open-rehearsal.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../support/bots.ts";

test("a rehearsal that cannot be opened leaves no store open", async () => {
  using closing = spyOn(SqliteStore.prototype, Symbol.asyncDispose);
  const config = loadConfig({ flags: { logLevel: "silent" }, env: {}, readFile: () => "" });
  const noModel = { model: new Uint8Array([1, 2, 3]) };
  await expect(openRehearsal(config, shopBot(), noModel)).rejects.toThrow();
  expect(closing).toHaveBeenCalledTimes(1);
});
