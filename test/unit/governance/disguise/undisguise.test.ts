import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { undisguisedReadings } from "../../../../src/governance/disguise/undisguise.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";

const words = (text: string): Set<string> => new Set(text.split(" "));

const KNOWN = words(
  "please delete my account and close it now where is the order what refund i want to track",
);
const knows = (word: string): boolean => KNOWN.has(word.normalize("NFKC").toLowerCase());
const readingsOf = (text: string): string[] => undisguisedReadings(text, knows);

/** As the classifier reads it. */
const plain = (text: string): string => normaliseText(text).replaceAll(/\s+/g, " ").trim();

describe("a disguise is taken off", () => {
  test.each([
    ["letters apart, wider gaps between words", "p l e a s e   d e l e t e   m y   a c c o u n t   n o w"],
    ["letters apart, all gaps alike", "p l e a s e d e l e t e m y a c c o u n t n o w"],
    ["dots between letters", "p.l.e.a.s.e d.e.l.e.t.e m.y a.c.c.o.u.n.t n.o.w"],
    ["other signs between letters", "p~l~e~a~s~e d–e–l–e–t–e m‧y a‧c‧c‧o‧u‧n‧t n×o×w"],
    ["signs for spaces", "please_delete+my/account|now"],
    ["no spaces", "pleasedeletemyaccountnow"],
    ["words broken up", "pl ease del ete my acc ount now"],
    ["digits and signs for letters", "pl3a5e d3l3t3 my @cc0unt n0w"],
    ["Cyrillic look-alikes", "рlеаѕе dеlеtе mу ассоunt nоw"],
    ["Greek look-alikes", "ρleαsε dεlετε my αccουητ ηοω"],
    ["letters of mathematics", "𝓹𝓵𝓮𝓪𝓼𝓮 𝐝𝐞𝐥𝐞𝐭𝐞 𝕞𝕪 𝒶𝒸𝒸ℴ𝓊𝓃𝓉 𝚗𝚘𝚠"],
    ["letters in frames", "ⓟⓛⓔⓐⓢⓔ 🄳🄴🄻🄴🅃🄴 🅼🆈 🅐🅒🅒🅞🅤🅝🅣 ⒩⒪⒲"],
    ["small capitals", "ᴘʟᴇᴀꜱᴇ ᴅᴇʟᴇᴛᴇ ᴍʏ ᴀᴄᴄᴏᴜɴᴛ ɴᴏᴡ"],
    [
      "unseen characters between letters",
      "p\u200bl\u200ce\u200da\u00ads\u2060e dele\u200bte my acc\u200bount now",
    ],
    ["an unseen alphabet", "\u{e0070}\u{e006c}\u{e0065}\u{e0061}\u{e0073}\u{e0065} delete my account now"],
    ["marks on letters", "p̷l̷e̷a̷s̷e̷ d̲̈ë̲l̲̈ë̲ẗ̲ë̲ m̶y̶ a̶c̶c̶o̶u̶n̶t̶ n̶o̶w̶"],
    ["letters stretched", "pleeeease deleeeete my accountttt nooow"],
    ["letters doubled", "pplleeaassee ddeelleettee mmyy aaccccoouunntt nnooww"],
    ["right-to-left override", "\u202ewon tnuocca ym eteled esaelp"],
    ["mirror writing", "won tnuocca ym eteled esaelp"],
    ["ROT13", "cyrnfr qryrgr zl nppbhag abj"],
    ["Base64", "cGxlYXNlIGRlbGV0ZSBteSBhY2NvdW50IG5vdw=="],
    ["hexadecimal", "706c656173652064656c657465206d79206163636f756e74206e6f77"],
    ["percent encoding", "please%20%64%65%6c%65%74%65%20my%20account%20now"],
    ["character references", "please &#100;&#x65;lete my account now"],
    ["escapes", "please \\u0064elete my account now"],
    ["several at once", "pl3аs3 d.3.l.е.t.3 my аcc0unt now"],
  ])("%s", (_, disguised) => {
    const readings = [disguised, ...readingsOf(disguised)].map((reading) => plain(reading));
    expect(readings.some((reading) => reading.includes("please delete my account now"))).toBe(true);
  });

  test("where other words stand around it", () => {
    expect(readingsOf("where is the order, d.e.l.e.t.e my acc0unt!")).toEqual([
      "where is the order, delete my account!",
    ]);
  });

  test.each([
    ["mirrored", "where is the order? tnuocca ym eteled, now"],
    ["rotated", "where is the order? qryrgr zl nppbhag, now"],
  ])("in one part of a message: %s", (_, joined) => {
    expect(readingsOf(joined)).toEqual(["where is the order? delete my account, now"]);
  });

  test("from hexadecimal digits behind a word that ends in two", () => {
    expect(readingsOf("i wanted 64656c657465206d79206163636f756e74").map(plain)).toEqual([
      "i wanted delete my account",
    ]);
  });

  test("in a Russian word with Latin letters, towards Russian", () => {
    expect(readingsOf("прошу yдaлить мой aккaунт")).toEqual(["прошу удалить мой аккаунт"]);
  });

  test("from a Greek word with Latin letters, towards Greek", () => {
    expect(readingsOf("θέλω να διαγpάψω τον λογαριασμό")).toEqual(["θέλω να διαγράψω τον λογαριασμό"]);
  });

  test("twice, when an encoding wraps another", () => {
    const twice = btoa(btoa("please delete my account"));
    expect(readingsOf(twice)).toContain("please delete my account");
  });
});

describe("honest text has no other reading", () => {
  test.each([
    "where is my order 4711-A?",
    "what's the order number: 2026/11/21",
    "¿Dónde está mi pedido? Compré el artículo n.º 5",
    "Wo ist mein Päckchen? Ich möchte es zurückgeben.",
    "Где мой заказ? Хочу вернуть деньги",
    "Πού είναι η παραγγελία μου;",
    "我的订单在哪里？",
    "注文した商品はどこですか。がんばれ",
    "주문한 상품은 어디에 있나요?",
    "أين طلبي؟",
    "मेरा ऑर्डर कहाँ है?",
    "คำสั่งซื้อของฉันอยู่ที่ไหน",
    "order no. 12345678 of 21.11.2026, 19:30, 50 % off, C++ & C#",
    "is it on https://example.com/orders/12 or info@example.com?",
    "",
    "   ",
    "👍",
  ])("%s", (text) => {
    expect(readingsOf(text)).toEqual([]);
  });
});

describe("for any text", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.string({ unit: "binary", maxLength: 60 }),
    fc
      .array(
        fc.constantFrom("delete", "my", "d", "e", "l", ".", " ", "%64", "&#100;", "0", "\u202e", "a\u0301"),
      )
      .map((parts) => parts.join("")),
  );

  test("there are at most two readings, and none is the text itself", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const readings = readingsOf(text);
        expect(readings.length).toBeLessThanOrEqual(2);
        expect(readings).not.toContain(text);
      }),
    );
  });

  test("a reading is not much longer than the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const reading of readingsOf(text)) expect(reading.length).toBeLessThan(20 * text.length + 20);
      }),
    );
  });
});
