import { describe, expect, test } from "bun:test";

import { givenDataIn, isDataAlone } from "../../../src/text/given-data.ts";

const kindsIn = (text: string) => givenDataIn(text)?.data.map(({ kind }) => kind);

describe("a message that gives data and asks for nothing else", () => {
  test.each<[string, string[], string | undefined]>([
    ["2210987", ["number"], "2210987"],
    ["bestellnr 2210987", ["number"], "2210987"],
    ["Meine Bestellnummer lautet 2210987", ["number"], "2210987"],
    ["my order number is A-10293", ["number"], "A-10293"],
    ["order no. 417", ["number"], "417"],
    ["it's ORD-2231-77, can you check it please", ["number"], "ORD-2231-77"],
    ["mi número de pedido es 556677", ["number"], "556677"],
    ["numéro de commande : 88123", ["number"], "88123"],
    ["il mio ordine è il 90210", ["number"], "90210"],
    ["mijn ordernummer is 889900", ["number"], "889900"],
    ["o meu pedido é o 445566", ["number"], "445566"],
    ["numer zamówienia 778899", ["number"], "778899"],
    ["ann@example.com", ["e-mail"], undefined],
    ["my email is ann@example", ["e-mail"], undefined],
    ["meine Mail ist ann (at) example punkt org", ["e-mail"], undefined],
    ["you can reach me on 020 7946 0958", ["phone"], undefined],
    ["+49 30 901820", ["phone"], undefined],
    ["KA-RS 123", ["plate"], "KA-RS 123"],
    ["Kennzeichen B AB 1234", ["plate"], "B AB 1234"],
    ["my car is AB12 CDE", ["plate"], "AB12 CDE"],
    ["immatriculation AB-123-CD", ["plate"], "AB-123-CD"],
    ["born 3.4.1980", ["date"], undefined],
    ["geboren am 3. April 1980", ["date"], undefined],
    ["15 de marzo de 2026", ["date"], undefined],
    ["order 2210987, ann@example.org", ["number", "e-mail"], "2210987"],
    ["2210987, ada@example, +49 30 901820", ["number", "e-mail", "phone"], "2210987"],
  ])("%s", (text, kinds, named) => {
    expect(kindsIn(text)).toEqual(kinds as never);
    expect(givenDataIn(text)?.named).toBe(named);
  });
});

test.each([
  "where is my order",
  "are you open on 24.12.2026?",
  "24.12.2026?",
  "how much are 20 tickets",
  "we are 2 adults and 2 kids",
  "do you have model XR-20987 in blue",
  "error 40412 when I log in",
  "my order 2210987 arrived broken",
  "einzelzimmer für 2 Nächte",
  "at 10:30",
  "19,90 €",
  "50 %",
  "iphone 15",
  "2026",
  "100",
])("a message that asks or tells something else gives none: %s", (text) => {
  expect(givenDataIn(text)).toBeUndefined();
});

test("a word that says what is given is told of", () => {
  expect(givenDataIn("order 2210987")?.saysWhat).toBe(true);
  expect(givenDataIn("it is 2210987")?.saysWhat).toBe(false);
});

test("a text of nothing but numbers is read in no time worth telling", () => {
  expect(givenDataIn("1-".repeat(100))).toBeUndefined();
});

describe("data alone", () => {
  test.each(["48213", "3", "ann@example.org", "48213, ann@example.org", "3. 4. 1980", "+49 30 901820"])(
    "%s",
    (text) => {
      expect(isDataAlone(text)).toBe(true);
    },
  );

  test.each([
    "order 48213",
    "no, 48214",
    "delete ann@example.org",
    "yes",
    "はい",
    `48213 ${"1 ".repeat(200)}`,
  ])("is not: %s", (text) => {
    expect(isDataAlone(text)).toBe(false);
  });
});
