import { expect, test } from "bun:test";

import { separateCourtesies } from "../../../src/social/without-courtesies.ts";

test.each([
  ["en", "hi, where is my order?", "where is my order?"],
  ["en", "Hello there! I have a question. How do I change my PIN?", "How do I change my PIN?"],
  ["en", "hi where is my order thanks", "where is my order"],
  ["en", "where is my order? thanks in advance, Peter", "where is my order? thanks in advance, Peter"],
  ["en", "where is my order? thx :)", "where is my order?"],
  ["en", "thanks, and what about the return flight", "and what about the return flight"],
  ["en", "hi 👋 can I pay later", "can I pay later"],
  ["de", "Guten Tag, ich hätte gern einen Termin. Vielen Dank!", "ich hätte gern einen Termin."],
  ["de", "Hallo wo ist meine Bestellung", "wo ist meine Bestellung"],
  ["de", "Wo ist mein Paket? Mit freundlichen Grüßen", "Wo ist mein Paket?"],
  ["fr", "Bonjour, je voudrais annuler ma commande, merci d'avance", "je voudrais annuler ma commande"],
  ["es", "Buenos días, ¿dónde está mi pedido?", "dónde está mi pedido?"],
  ["it", "Salve, vorrei disdire l'abbonamento, grazie", "vorrei disdire l'abbonamento"],
  ["nl", "hoi, ik wil mijn afspraak verzetten alvast bedankt", "ik wil mijn afspraak verzetten"],
  ["pt", "Bom dia, quero cancelar o pedido. Obrigado", "quero cancelar o pedido."],
])("greeting and thanks are stripped (%s): %s", (language, text, rest) => {
  expect(separateCourtesies(text, { language }).request).toBe(rest);
});

test.each([
  "where is my order",
  "hello kitty",
  "how is it going with my refund",
  "can I pay later",
  "thank you cards",
  "good morning",
  "hi thanks bye",
  "you have my package",
  "",
])("the rest stays as it is: %s", (text) => {
  expect(separateCourtesies(text, { language: "en" }).request).toBe(text);
});

test("without a language, all of them are tried", () => {
  expect(separateCourtesies("Guten Tag, wo ist mein Paket").request).toBe("wo ist mein Paket");
});
