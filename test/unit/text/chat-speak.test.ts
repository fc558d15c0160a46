import { expect, test } from "bun:test";

import { chatSpeakIn, writeOutChatSpeak } from "../../../src/text/chat-speak.ts";
import { type Language, LANGUAGES } from "../../../src/text/languages.ts";

test.each<[Language, string, string]>([
  ["en", "idk where u put my acct pw", "i do not know where you put my account password"],
  ["en", "lol ok", " ok"],
  ["en", "lol", "lol"],
  ["de", "vllt geht iwie die mwst", "vielleicht geht irgendwie die mehrwertsteuer"],
  ["es", "xq no tb mañana", "porque no tambien mañana"],
  ["fr", "rdv svp", "rendez vous sil vous plait"],
  ["it", "cmq xke nn va", "comunque perche non va"],
  ["nl", "wrm idd mss ff", "waarom inderdaad misschien even"],
  ["pt", "vc sabe pq", "voce sabe porque"],
])("abbreviations are written out (%s): %s", (language, text, written) => {
  expect(writeOutChatSpeak(text, language, () => false)).toBe(written);
});

test.each(LANGUAGES)("in %s, sixty and more are known, each of one word", (language) => {
  const known = chatSpeakIn(language);
  expect(known.size).toBeGreaterThanOrEqual(100);
  expect([...known.keys()].filter((word) => !/^[\p{L}\p{N}]+$/u.test(word))).toEqual([]);
  expect([...known].filter(([word, meaning]) => meaning.length === 1 && meaning[0] === word)).toEqual([]);
});

test("what only has to be known stands for no other words", () => {
  expect(chatSpeakIn("en").get("lol")).toEqual([]);
  expect(chatSpeakIn("en").has("login")).toBe(false);
});
