import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  packTerms,
  TERMS_VERSION,
  termsOfPassage,
  TermsUnpacker,
} from "../../../src/knowledge/packed-terms.ts";
import { foldText, termsOf, visitUnits } from "../../../src/knowledge/terms.ts";

function unitsOf(text: string): string[] {
  const folded = foldText(text);
  const units: string[] = [];
  visitUnits(folded, (start, end) => units.push(folded.slice(start, end)));
  return units;
}

function common(left: string, right: string): number {
  return termsOf(left).intersection(termsOf(right)).size;
}

describe("the units of a text", () => {
  test.each([
    ["How do I cancel?", ["how", "do", "i", "cancel"]],
    ["Größe XL: 42", ["grosse", "xl", "42"]],
    ["don't", ["dont"]],
    ["取消订单", ["取", "消", "取消", "订", "消订", "单", "订单"]],
    ["iPhone手机", ["iphone", "手", "机", "手机"]],
    ["สวัสดี", ["สวั", "วัส", "ัสด", "สดี"]],
    ["ไป", ["ไป"]],
    ["والكتاب", ["كتاب"]],
    ["الآن", ["الان"]],
    ["", []],
    [" .,;!? ", []],
  ])("of %j are %j", (text, units) => {
    expect(unitsOf(text)).toEqual(units);
  });
});

describe("the terms of a text", () => {
  test.each([
    ["cancellation", "cancelling"],
    ["Rechnung", "Rechnungen"],
    ["서울에서", "서울까지"],
    ["إلغاء", "الغاء"],
    ["siparişim", "siparis"],
  ])("%j and %j have one in common at least", (left, right) => {
    expect(common(left, right)).toBeGreaterThan(0);
  });

  test("a word of four letters is not the beginning of a longer one", () => {
    expect(termsOf("canc").size).toBe(2);
    expect(common("canc", "cancel")).toBe(1);
  });

  test("are the same whatever the case, the accents and the form of the letters", () => {
    expect(termsOf("CAFÉ ﬁnance")).toEqual(termsOf("cafe\u0301 finance"));
  });

  test("of any text are few and found without an exception", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(termsOf(text).size).toBeLessThanOrEqual(2 * foldText(text).length);
      }),
    );
  });
});

describe("packed terms", () => {
  /** Of every script and form that terms are made of. */
  const FIXED = [
    ["Returns", "You may return it within 60 days, unworn; don't forget the label."],
    ["Größen", "Die Größe XL fällt kleiner aus: 42 statt 44."],
    ["الإرجاع", "والكتاب يمكن إرجاعه خلال ٣٠ يوما."],
    ["取消订单", "发货前可以取消订单。キャンセルはこちら。"],
    ["ยกเลิก", "ยกเลิกคำสั่งซื้อได้ก่อนจัดส่ง"],
    ["반품", "서울에서 반품할 수 있습니다."],
    ["iPhone手机", "CAFÉ ﬁnance naïve 3.5 кг"],
  ] as const;

  test("are those of their version: whoever changes them raises TERMS_VERSION, and writes both here anew", () => {
    const bytes = FIXED.map(([title, body]) => packTerms(termsOfPassage(title, body)));
    const sum = new Bun.CryptoHasher("sha256").update(Buffer.concat(bytes)).digest("hex");
    expect({ version: TERMS_VERSION, sum }).toEqual({
      version: 1,
      sum: "9f534534703c1854f9b156dcb667621cdc04f1e0f4ae247a8decc1417ece917b",
    });
  });

  test("come back as they went, from any place in a buffer", () => {
    const unpacker = new TermsUnpacker();
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (title, body) => {
        const terms = termsOfPassage(title, body);
        const bytes = packTerms(terms);
        const moved = new Uint8Array(bytes.length + 1);
        moved.set(bytes, 1);
        expect(unpacker.unpack(moved.subarray(1))).toEqual(terms);
      }),
    );
  });

  test("do not depend on what was counted before", () => {
    const alone = termsOfPassage("Returns", "You may return it.");
    termsOfPassage("Another", Array.from({ length: 5000 }, (_, i) => `word${i}`).join(" "));
    expect(termsOfPassage("Returns", "You may return it.")).toEqual(alone);
  });

  test("count fifteen occurrences at most, title and body apart", () => {
    const { counts } = termsOfPassage("no", "no ".repeat(40));
    expect([...counts]).toEqual([15 + 16]);
  });

  test("that are cut off are refused", () => {
    expect(() => new TermsUnpacker().unpack(new Uint8Array(7))).toThrow(RangeError);
  });
});
