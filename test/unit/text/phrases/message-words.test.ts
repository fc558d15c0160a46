import { expect, test } from "bun:test";

import { wordsOfMessage } from "../../../../src/text/phrases/message-words.ts";

test.each([
  ["What's up?", ["whats", "up"]],
  ["Grüß dich :)", ["gruss", "dich", "🙂"]],
  ["ok 👍🏽👍", ["ok", "👍", "👍"]],
  ["❤️ <3 xD", ["❤", "🙂", "🙂"]],
  ["1️⃣ or 2.", ["1", "or", "2"]],
  ["👩‍💻 s'il-vous", ["👩‍💻", "sil", "vous"]],
  ["...", []],
])("%s", (text, expected) => {
  expect(wordsOfMessage(text).map((word) => word.text)).toEqual(expected);
});

test("a word knows where it stands", () => {
  const text = "¡Hola!  Größe 👋";
  const places = wordsOfMessage(text).map(({ start, end }) => text.slice(start, end));
  expect(places).toEqual(["Hola", "Größe", "👋"]);
});
