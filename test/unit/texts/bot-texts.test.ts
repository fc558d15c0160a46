import { expect, test } from "bun:test";

import { TEXT_LANGUAGES } from "../../../src/domain/texts.ts";
import { compileTexts } from "../../../src/texts/bot-texts.ts";
import { defaultWelcome } from "../../../src/texts/bot-wording.ts";
import { botWith, type WrittenFields } from "../../support/bots.ts";

const answering = (...responses: string[]) => ({ name: "hours", examples: ["offen"], responses });
const greetingOf = (fields: WrittenFields) => compileTexts(botWith(fields)).say("social.greeting");

test.each<[string, string, WrittenFields]>([
  ["du, where answers do", "dich", { intents: [answering("Komm vorbei, wir freuen uns auf dich!")] }],
  ["du, by the welcome message alone", "dich", { welcomeMessage: "Hallo, was möchtest du wissen?" }],
  [
    "Sie, where answers do",
    "Sie",
    { intents: [answering("Kommen Sie vorbei, wir helfen Ihnen. Sie sind da.")] },
  ],
  ["Sie, where nothing tells", "Sie", { intents: [answering("Von 9 bis 17 Uhr. Sie sind dann alle da.")] }],
  [
    "Sie, where the file says so",
    "Sie",
    { formality: "formal", intents: [answering("Bis dann, bring dein Rad mit")] },
  ],
  ["du, where the file says so", "dich", { formality: "informal", intents: [answering("Wir helfen Ihnen")] }],
])("German calls visitors %s", (_, word, fields) => {
  const own = word === "dich" ? "Was kann ich für dich tun?" : "Was kann ich für Sie tun?";
  expect(greetingOf({ language: "de", ...fields })).toEndWith(own);
});

test.each<[string, WrittenFields]>([
  ["pour toi", { intents: [answering("Passe quand tu veux, on t'attend.")] }],
  ["pour vous", { intents: [answering("Passez quand vous voulez, votre vélo vous attend.")] }],
  ["pour toi", { formality: "informal", intents: [answering("Passez quand vous voulez.")] }],
])("French greets %s as the owner does", (words, fields) => {
  expect(greetingOf({ language: "fr", ...fields })).toContain(words);
});

test("the widget greets alike", () => {
  const intents = [answering("Komm vorbei, wir freuen uns auf dich!")];
  expect(defaultWelcome(botWith({ language: "de", intents }))).toContain("dir helfen");
  expect(defaultWelcome(botWith({ language: "de", intents }), "fr")).toContain("vous aider");
});

test.each([
  [["Wann habt ihr offen?"], "Meinten Sie: Wann habt ihr offen?"],
  [["Preise", "Wann habt ihr offen?"], "Meinten Sie: Preise oder Wann habt ihr offen?"],
  [["Preise"], "Meinten Sie: Preise?"],
])("a label that ends with a question mark gets no other: %p", (labels, asked) => {
  const texts = compileTexts(botWith({ language: "de" }));
  expect(texts.say("didYouMean", { choices: texts.list(labels) })).toBe(asked);
});

test("nor in a language that sets it apart", () => {
  const texts = compileTexts(botWith({ language: "fr" }));
  expect(texts.say("didYouMean", { choices: "Où êtes-vous ?" })).toBe(
    "Vouliez-vous parler de : Où êtes-vous ?",
  );
});

test.each(TEXT_LANGUAGES)("that the bot answers in another language is said in %s", (language) => {
  const sentence = compileTexts(botWith({ language: "nl" })).sayOtherLanguage(language);
  expect(sentence).not.toMatch(/[{}]|\bnl\b/);
});
