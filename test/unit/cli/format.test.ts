import { describe, expect, test } from "bun:test";

import { formatInstant, formatTable, printable } from "../../../src/cli/format.ts";

describe("printable", () => {
  test("shows escape sequences instead of obeying them", () => {
    expect(printable("\u001b[2J\u001b]0;title\u0007")).toBe("\\u001b[2J\\u001b]0;title\\u0007");
    expect(printable("a\rb\u009bc\u0000")).toBe("a\\u000db\\u009bc\\u0000");
  });

  test("shows marks that reverse what follows", () => {
    expect(printable("\u202eevil")).toBe("\\u202eevil");
  });

  test("leaves text of any language, tabs and line feeds as they are", () => {
    const text = "Grüße, こんにちは, مرحبا 👩‍👧\n\tindented";
    expect(printable(text)).toBe(text);
  });
});

test("a table aligns columns by their width on screen", () => {
  expect(
    formatTable(
      ["A", "B"],
      [
        ["日本", "x"],
        ["abc", ""],
      ],
    ),
  ).toBe("A     B\n日本  x\nabc");
});

test("an instant is shown in UTC, to the second", () => {
  expect(formatInstant(Date.UTC(2026, 0, 2, 3, 4, 5, 678))).toBe("2026-01-02T03:04:05Z");
});
