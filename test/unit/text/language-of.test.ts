import { describe, expect, test } from "bun:test";

import { languageOf, languageOfMessage, textLanguageOf } from "../../../src/text/language-of.ts";
import { LANGUAGES } from "../../../src/text/languages.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";

test.each(LANGUAGES)("the language of twenty requests in %s is found wherever they begin", (language) => {
  const requests = generalRequestsIn(language);
  for (let start = 0; start + 20 <= requests.length; start += 20) {
    expect(languageOf(requests.slice(start, start + 20))).toBe(language);
  }
});

test.each([
  ["pl", ["Gdzie jest moje zamówienie?", "Chcę zwrócić towar", "Ile kosztuje wysyłka", "jak zmienić hasło"]],
  ["pl", ["gdzie jest moje zamowienie", "nie moge sie zalogowac", "ile to kosztuje"]],
  ["tr", ["Siparişim nerede?", "Şifremi nasıl değiştirebilirim", "kargo ne kadar", "iade etmek istiyorum"]],
  ["ar", ["أين طلبي؟", "كيف أغير كلمة المرور", "ما هي ساعات العمل"]],
  ["ja", ["注文はどこですか", "パスワードを変更したい", "営業時間"]],
  ["zh", ["我的订单在哪里", "如何修改密码", "营业时间"]],
  ["de", ["Sprechzeiten", "Termin stornieren", "Gibt es Parkplätze?", "Wo finde ich die Praxis?"]],
  ["en", ["pricing?", "invite a colleague", "how do I add a user", "refund"]],
] as const)("examples of a small bot are in %s", (language, examples) => {
  expect(languageOf(examples)).toBe(language);
});

test.each([
  [[]],
  [["zapier", "API"]],
  [["где мой заказ", "как вернуть товар"]],
  [["주문이 어디에 있나요"]],
  [["سفارش من کجاست", "چگونه رمز را عوض کنم"]],
  [["12345", "???"]],
])("of these, the language is left open: %p", (examples) => {
  expect(languageOf(examples)).toBeUndefined();
});

test("a tag names the language of the wording", () => {
  expect(textLanguageOf("de-AT")).toBe("de");
  expect(textLanguageOf("pt-BR")).toBe("pt");
  expect(textLanguageOf("ZH-Hant-TW")).toBe("zh");
  expect(textLanguageOf("sv")).toBeUndefined();
  expect(textLanguageOf(undefined)).toBeUndefined();
});

describe.each(LANGUAGES)("the language of a message in %s", (language) => {
  const found = generalRequestsIn(language).map((text) => languageOfMessage(text));

  test("is hardly ever taken for another", () => {
    const wrong = found.filter((one) => one !== undefined && one !== language);
    expect(wrong.length / found.length).toBeLessThan(0.0135);
  });

  test("is told of many, requests of two words among them", () => {
    const right = found.filter((one) => one === language);
    expect(right.length / found.length).toBeGreaterThan(0.4);
  });
});
