import { describe, expect, test } from "bun:test";

import { SOCIAL_KINDS, type SocialKind, type TextLanguage } from "../../../src/domain/texts.ts";
import { recogniseSocialTurn } from "../../../src/social/social-turn.ts";
import { LANGUAGES } from "../../../src/text/languages.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";
import { socialMessagesIn } from "./messages.ts";

const kindOf = (text: string, language?: string) =>
  recogniseSocialTurn(text, { language, offersPerson: true })?.kind;

describe.each(LANGUAGES)("in %s", (language) => {
  test.each(SOCIAL_KINDS)("what visitors type is recognised as %s", (kind) => {
    const wrong = socialMessagesIn(language)[kind].filter((text) => kindOf(text, language) !== kind);
    expect(wrong).toEqual([]);
  });

  test("hardly any request is taken for a social turn", () => {
    const requests = generalRequestsIn(language);
    const social = requests.filter((text) => kindOf(text, language) !== undefined);
    // About one in a hundred of them is social itself; none of the others may be taken for it.
    expect(social.length).toBeLessThan(requests.length * 0.018);
    expect(social.filter((text) => text.split(" ").length > 11)).toEqual([]);
  });

  test("a request behind a greeting is none", () => {
    const request = generalRequestsIn(language).find((text) => text.split(" ").length > 5)!;
    const greeting = socialMessagesIn(language).greeting[0]!;
    expect(kindOf(`${greeting}, ${request}`, language)).toBeUndefined();
  });
});

test.each<[string, SocialKind]>([
  ["hi, are you a robot?", "identity"],
  ["ok thanks bye", "goodbye"],
  ["hello, thanks, you idiot", "abuse"],
  ["hi there, can you help me please?", "help"],
  ["ok great thanks 👍", "thanks"],
  ["ok hello", "greeting"],
])("of several kinds, the most telling counts: %s", (text, kind) => {
  expect(kindOf(text, "en")).toBe(kind);
});

test.each<[string, string, SocialKind]>([
  ["thx u so much", "de", "thanks"],
  ["ok danke, bye", "en", "goodbye"],
  ["hola", "fr", "greeting"],
  ["bist du ein Mensch?", "en", "identity"],
  ["merci beaucoup", "it", "thanks"],
])("visitors need not write in the bot's language: %s to a bot in %s", (text, language, kind) => {
  expect(kindOf(text, language)).toBe(kind);
});

test.each([
  ["thnaks", "thanks"],
  ["thannk you", "thanks"],
  ["hellooooo", "greeting"],
  ["Helo!", "greeting"],
  ["goodbey", "goodbye"],
  ["HI!!!!!", "greeting"],
  ["what can yuo do", "help"],
] satisfies [string, SocialKind][])("spelling does not matter: %s", (text, kind) => {
  expect(kindOf(text, "en")).toBe(kind);
});

test.each([
  "hi, where is my order",
  "can you help me with my invoice",
  "thank you card with envelope",
  "hello kitty backpack",
  "is this real leather",
  "who is the owner of the shop",
  "are you open",
  "help with login",
  "no refund yet",
  "this does not work",
  "the invoice is wrong",
  "repeat my order",
  "what can you do about my broken phone",
  "",
  "   ",
])("a request is no social turn: %s", (text) => {
  expect(kindOf(text, "en")).toBeUndefined();
});

test.each([
  ["dat heb ik niet", "nl"],
  ["vous n'avez pas ?", "fr"],
  ["sie haben nicht", "de"],
  ["kann ich einen Termin haben", "de"],
])("neither is what only sounds like a complaint: %s", (text, language) => {
  expect(kindOf(text, language)).toBeUndefined();
});

test.each([
  ["Nie o to pytałem!", "pl"],
  ["onu sormadım", "tr"],
  ["هذا غير صحيح", "ar"],
  ["それは違います。", "ja"],
  ["我问的不是这个", "zh"],
])("languages without a phrase book complain by exact phrases: %s", (text, language) => {
  expect(kindOf(text, language)).toBe("repair");
});

test.each([
  ["can I talk to a human", "en"],
  ["human", "en"],
  ["hello, you idiot, let me talk to a human", "en"],
  ["puedo hablar con una persona", "es"],
  ["ich möchte mit einem Menschen sprechen", "de"],
  ["je voudrais parler à un conseiller", "fr"],
  ["转人工", "zh"],
])("the wish for a person is a request where none is offered: %s", (text, language) => {
  expect(recogniseSocialTurn(text, { language })).toBeUndefined();
});

test.each<[string, string]>([
  ["can a person under 18 rent", "en"],
  ["how many people work here", "en"],
  ["I want to talk to you about my order", "en"],
  ["who do I talk to about refunds", "en"],
  ["my order is broken, let me talk to a human", "en"],
  ["i dont want to talk to a human", "en"],
  ["I am a real person", "en"],
  ["how do i become a customer service representative", "en"],
  ["what is the customer service number", "en"],
  ["human resources", "en"],
  ["I need a real estate agent in Denver", "en"],
  ["can someone explain the invoice", "en"],
  ["I need someone to fix my sink", "en"],
  ["price per person", "en"],
  ["a table for one person please", "en"],
  ["wie viele Menschen arbeiten hier", "de"],
  ["Ich suche einen Mitarbeiter für mein Büro", "de"],
  ["ich will nicht mit einem Menschen sprechen", "de"],
  ["Preis pro Person", "de"],
  ["¿cuántas personas trabajan aquí?", "es"],
  ["precio por persona", "es"],
  ["mon conseiller ne répond jamais", "fr"],
  ["une table pour une personne", "fr"],
  ["quante persone lavorano qui", "it"],
  ["prezzo a persona", "it"],
  ["hoeveel mensen werken hier", "nl"],
  ["prijs per persoon", "nl"],
  ["quantas pessoas trabalham aqui", "pt"],
  ["preço por pessoa", "pt"],
  ["człowiek bez butów", "pl"],
  ["人工智能是什么", "zh"],
  ["担当者の名前は何ですか", "ja"],
])("what speaks of people asks for none: %s", (text, language) => {
  expect(kindOf(text, language)).toBeUndefined();
});

test.each<[string, SocialKind]>([
  ["are you a human", "identity"],
  ["are you a real person?", "identity"],
  ["am I talking to an agent?", "identity"],
  ["is there a human there", "identity"],
  ["can someone help me", "help"],
  ["I need support", "help"],
  ["hello agent", "greeting"],
  ["thanks, human", "thanks"],
  ["is anybody there", "greeting"],
])("what is said to somebody, or asks who it is, asks for nobody else: %s", (text, kind) => {
  expect(kindOf(text, "en")).toBe(kind);
});

test.each<[string, string]>([
  ["Człowiek", "pl"],
  ["Chcę porozmawiać z konsultantem, proszę!", "pl"],
  ["proszę o połączenie z konsultantem", "pl"],
  ["İnsan", "tr"],
  ["Lütfen beni bir temsilciye bağlayın.", "tr"],
  ["GERÇEK BİR KİŞİ LÜTFEN", "tr"],
  ["أريد التحدث مع موظف من فضلك", "ar"],
  ["اريد التحدث الى انسان", "ar"],
  ["خدمه العملاء", "ar"],
  ["担当者と話したいです。", "ja"],
  ["オペレーター お願いします", "ja"],
  ["人と話せますか？", "ja"],
  ["转人工！", "zh"],
  ["您好，我要人工客服，谢谢", "zh"],
  ["请转 人工 客服 🙏", "zh"],
])("languages without a phrase book have exact phrases: %s", (text, language) => {
  expect(recogniseSocialTurn(text, { language: "en", offersPerson: true })).toEqual({
    kind: "person",
    language: language as TextLanguage,
  });
});

test.each([
  ["yes please", "yes"],
  ["ja", "yes"],
  ["ok 👍", "yes"],
  ["👍", "yes"],
  ["nein danke", "no"],
  ["no", "no"],
  ["yes thanks", "yes"],
  ["I see", undefined],
  ["thanks", undefined],
] as const)("what may answer a question says so: %s", (text, says) => {
  const turn = recogniseSocialTurn(text, { language: "de" });
  expect(turn).toBeDefined();
  expect(turn?.says).toBe(says);
});

test("the bot may be called by its name", () => {
  expect(recogniseSocialTurn("hey Taskloom!", { botName: "Taskloom Help" })?.kind).toBe("greeting");
  expect(recogniseSocialTurn("hey Taskloom!")).toBeUndefined();
});

test("the language of what was said is told", () => {
  expect(recogniseSocialTurn("muchas gracias", { language: "de-AT" })?.language).toBe("es");
  expect(recogniseSocialTurn("vielen Dank", { language: "de-AT" })?.language).toBe("de");
});

test("a question mark alone asks for help", () => {
  expect(kindOf("???")).toBe("help");
  expect(kindOf("...")).toBeUndefined();
});

test("a long message is not looked at", () => {
  expect(kindOf("thanks ".repeat(40))).toBeUndefined();
});
