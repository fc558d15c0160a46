import { expect, test } from "bun:test";

import { refuseOtherJournal } from "../../../../src/store/sqlite/database.ts";

test("a file system that grants no write-ahead log is refused, with what to do", () => {
  const refuse = (granted: unknown) => () => refuseOtherJournal("/mnt/share/parley.db", granted);
  expect(refuse("delete")).toThrow(/no write-ahead log for \/mnt\/share\/parley\.db .*local disk.*--store/);
  expect(refuse("wal")).not.toThrow();
});
