import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { PersonalDataKind } from "../../../src/domain/personal-data.ts";
import { findPersonalData } from "../../../src/text/personal-data.ts";
import { growthOf } from "../../support/growth.ts";

const EVERY_KIND: readonly PersonalDataKind[] = ["card-number", "iban", "e-mail", "phone"];

const found = (text: string, kinds = EVERY_KIND): [string, string][] =>
  findPersonalData(text, kinds).map(({ kind, start, end }) => [kind, text.slice(start, end)]);

describe("a card number is found in any grouping", () => {
  test.each([
    ["my card is 4111111111111111 thanks", "4111111111111111"],
    ["4111 1111 1111 1111", "4111 1111 1111 1111"],
    ["pay with 4111-1111-1111-1111.", "4111-1111-1111-1111"],
    ["4111.1111.1111.1111", "4111.1111.1111.1111"],
    ["41111111 11111111", "41111111 11111111"],
    ["4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"],
    ["41-11-11-11-11-11-11-11", "41-11-11-11-11-11-11-11"],
    ["amex 3782 822463 10005 please", "3782 822463 10005"],
    ["378282246310005", "378282246310005"],
    ["diners 3056 930902 5904", "3056 930902 5904"],
    ["5555555555554444 12/27 123", "5555555555554444"],
    ["4111 1111 1111 1111, 12/27, 123", "4111 1111 1111 1111"],
    ["2223003122003222", "2223003122003222"],
    ["6011 1111 1111 1117", "6011 1111 1111 1117"],
    ["card4111111111111111", "4111111111111111"],
    ["4111\u{a0}1111\u{a0}1111\u{a0}1111", "4111\u{a0}1111\u{a0}1111\u{a0}1111"],
    ["4111–1111–1111–1111", "4111–1111–1111–1111"],
    ["４１１１１１１１１１１１１１１１", "４１１１１１１１１１１１１１１１"],
    ["٤١١١ ١١١١ ١١١١ ١١١١", "٤١١١ ١١١١ ١١١١ ١١١١"],
    ["6759649826438453", "6759649826438453"],
  ])("%j", (text, card) => {
    expect(found(text)).toEqual([["card-number", card]]);
  });

  test.each([
    "4111111111111112",
    "order 1234567890123456",
    "9999999999999995",
    "41111111111111111111111",
    "the sizes 38 40 42 44 46 48 50 52 54 56 58 60",
    "rooms 101, 202, 303, 404, 505 and 606",
    "between 2019 2020 2021 2022 and 2023",
    "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16",
    "from 2024-11-21 14:05:33 to 2024-11-22 09:00:00",
    "+4111111111111111",
  ])("but not in %j", (text) => {
    expect(found(text, ["card-number"])).toEqual([]);
  });
});

describe("an IBAN is found by its country's length and its check digits", () => {
  test.each([
    ["DE89370400440532013000", "DE89370400440532013000"],
    ["my IBAN: DE89 3704 0044 0532 0130 00, please", "DE89 3704 0044 0532 0130 00"],
    ["de89-3704-0044-0532-0130-00", "de89-3704-0044-0532-0130-00"],
    ["refund to GB29NWBK60161331926819 today", "GB29NWBK60161331926819"],
    ["FR14 2004 1010 0505 0001 3M02 606", "FR14 2004 1010 0505 0001 3M02 606"],
    ["NL91ABNA0417164300", "NL91ABNA0417164300"],
    ["IBANES9121000418450200051332", "ES9121000418450200051332"],
    ["D E 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0", undefined],
  ])("%j", (text, iban) => {
    expect(found(text)).toEqual(iban === undefined ? [] : [["iban", iban]]);
  });

  test.each([
    "DE88370400440532013000",
    "DE8937040044053201300",
    "DE893704004405320130001",
    "order XX89370400440532013000",
    "no 12345678901234567890",
  ])("but not in %j", (text) => {
    expect(found(text, ["iban"])).toEqual([]);
  });
});

describe("an e-mail address is found", () => {
  test.each([
    ["write to ann@example.org", "ann@example.org"],
    ["ann.lee+news@mail.example.co.uk!", "ann.lee+news@mail.example.co.uk"],
    ["<ann@example.org>", "ann@example.org"],
    ["ann @ example.org", "ann @ example.org"],
    ["jörg@müller.de", "jörg@müller.de"],
    ["ann(at)example.org", "ann(at)example.org"],
    ["ann [at] example [dot] org", "ann [at] example [dot] org"],
    ["it is ann at example dot org", "ann at example dot org"],
    ["anna arroba example punto es", "anna arroba example punto es"],
    ["ann＠example．org", "ann＠example．org"],
  ])("%j", (text, address) => {
    expect(found(text)).toEqual([["e-mail", address]]);
  });

  test.each([
    "follow @parley",
    "3 @ 5.50",
    "see example.org",
    "meet me at noon",
    "look at example.org",
    "root@localhost",
  ])("but not in %j", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("a phone number is found", () => {
  test.each([
    ["call +1 202 555 0143", "+1 202 555 0143"],
    ["+49 (0)30 1234567", "+49 (0)30 1234567"],
    ["my number is +44 20 7946 0958.", "+44 20 7946 0958"],
    ["0044 20 7946 0958", "0044 20 7946 0958"],
    ["(202) 555-0143", "(202) 555-0143"],
    ["202-555-0143", "202-555-0143"],
    ["202.555.0143", "202.555.0143"],
    ["1-202-555-0143", "1-202-555-0143"],
    ["020 7946 0958", "020 7946 0958"],
    ["07700 900123", "07700 900123"],
    ["0151 23456789", "0151 23456789"],
    ["030/1234567", "030/1234567"],
    ["06 12 34 56 78", "06 12 34 56 78"],
    ["0612345678", "0612345678"],
    ["612 345 678", "612 345 678"],
    ["(11) 91234-5678", "(11) 91234-5678"],
    ["call me on 2025550143", "2025550143"],
    ["mi móvil es 612345678", "612345678"],
    ["ring 202-555-0143 24/7", "202-555-0143"],
  ])("%j", (text, number) => {
    expect(found(text)).toEqual([["phone", number]]);
  });

  test.each([
    "order 2025550143",
    "order number 0612345678",
    "Bestellnummer 0301234567",
    "2025550143",
    "1234567890",
    "on 01.02.2024 at 10:30",
    "01/02/2024 10 11",
    "2024-11-21 2024-11-22",
    "from 09.00-17.00",
    "it costs 1.299,00 or 1,299.00",
    "0.123456789",
    "192.168.100.200",
    "invoice #0612345678",
    "room 101 and 102",
    "article 978-3-16-148410-0",
    "version 10.15.7.2024",
    "12 345 678 people",
    "99 999 999",
  ])("but not in %j", (text) => {
    expect(found(text, ["phone"])).toEqual([]);
  });

  test("an account number is no phone number, whichever is asked for", () => {
    expect(found("DE89 3704 0044 0532 0130 00", ["phone"])).toEqual([]);
    expect(found("4111 1111 1111 1111", ["phone"])).toEqual([]);
  });
});

describe("what is found", () => {
  test("has its place, in the order of the text", () => {
    const text = "ann@example.org, +44 20 7946 0958, 4111 1111 1111 1111, DE89370400440532013000";
    expect(found(text)).toEqual([
      ["e-mail", "ann@example.org"],
      ["phone", "+44 20 7946 0958"],
      ["card-number", "4111 1111 1111 1111"],
      ["iban", "DE89370400440532013000"],
    ]);
  });

  test("is only what was asked for", () => {
    expect(found("ann@example.org 4111111111111111", ["card-number"])).toEqual([
      ["card-number", "4111111111111111"],
    ]);
    expect(found("ann@example.org 4111111111111111", [])).toEqual([]);
  });

  test("lies within the text, in order, without overlaps", () => {
    const sign = fc.constantFrom(
      ...Array.from("0123456789 +-().@/abDE4９٤é"),
      " at ",
      " dot ",
      "🙂",
      "4111 1111 1111 1111",
      "00",
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 80 }), (signs) => {
        const text = signs.join("");
        let last = 0;
        for (const { start, end } of findPersonalData(text, EVERY_KIND)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test.each([
    "1",
    "1 ",
    "0",
    "0 1",
    "a@",
    "DE89",
    "+1",
    "a.",
    "(",
    "06 12 34 56 78 ",
    "4111 1111 1111 1111 ",
  ])("a text of %j takes time by its length, not by the square of it", async (piece) => {
    const read = (length: number) => findPersonalData(piece.repeat(length / piece.length), EVERY_KIND);
    expect(await growthOf(read, 4000)).toBeLessThan(10);
  });
});
