import { beforeEach, expect, test } from "bun:test";

import { dismissAbout, say, toasts } from "../../../src/console/toasts.ts";

const shown = () => toasts.value.map(({ text }) => text);
const undoOf = (bot: string, what?: "version" | "enabled") => ({
  says: "Undo",
  run: () => {},
  bot,
  ...(what && { what }),
});

beforeEach(() => {
  toasts.value = [];
});

test("a message goes when its undo no longer applies, because the same thing was changed again", () => {
  say("Version 2 is live.", undoOf("shop", "version"));
  say("Shop is off.", undoOf("shop", "enabled"));
  say("Version 3 is live.", undoOf("shop", "version"));
  expect(shown()).toEqual(["Shop is off.", "Version 3 is live."]);
});

test("messages about other bots, and those without an undo, stay", () => {
  say("Version 2 is live.", undoOf("shop", "version"));
  say("Copied.");
  say("Version 5 is live.", undoOf("desk", "version"));
  expect(shown()).toEqual(["Version 2 is live.", "Copied.", "Version 5 is live."]);
});

test("messages that offer to undo a change of a bot go when it is deleted", () => {
  say("Shop is off.", undoOf("shop", "enabled"));
  say("Desk is off.", undoOf("desk", "enabled"));
  dismissAbout("shop");
  expect(shown()).toEqual(["Desk is off."]);
});
