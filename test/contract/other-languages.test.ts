import { describe, expect, test } from "bun:test";

import { shopBot, type WrittenFields } from "../support/bots.ts";
import { startParley } from "../support/parley.ts";

const hours = {
  name: "store.hours",
  examples: ["wann habt ihr geöffnet", "öffnungszeiten", "wann ist der Laden offen"],
  responses: ["Von 9 bis 17 Uhr."],
};
const german = (fields: WrittenFields = {}) =>
  startParley({ bots: [shopBot({ language: "de", capabilityProfile: {}, intents: [hours], ...fields })] });

describe("a message in another language than the bot's", () => {
  test.each([
    ["where can I read about your opening hours", "I can only answer in German here."],
    ["¿a qué hora abren los domingos?", "Aquí solo puedo responder en alemán."],
    [
      "O której godzinie jest otwarty sklep i gdzie to jest",
      "Tutaj mogę odpowiadać tylko w tym języku: niemiecki.",
    ],
    ["你们几点开门？", "我在这里只能用德语回答。"],
  ])(
    "is told so in one sentence of its own, and answered in the bot's words: %s",
    async (input, sentence) => {
      await using parley = await german();
      const { response } = await parley.say(input);
      expect(response).toStartWith(`${sentence}\n\n`);
      const [, answer = ""] = response.split("\n\n");
      expect(answer).toMatch(/Von 9 bis 17 Uhr|Dazu habe ich leider nichts|Meint/);
    },
  );

  test("is told so once in a conversation", async () => {
    await using parley = await german();
    const { conversationId } = await parley.say("where can I read about your opening hours");
    const { response } = await parley.say("what is the weather like in there", { conversationId });
    expect(response).not.toContain("German");
  });

  test.each([
    ["do you speak English?", "I can only answer in German here."],
    ["parlez-vous français ?", "Ici, je ne peux répondre qu'en allemand."],
    ["日本語は話せますか？", "ここではドイツ語でのみお答えできます。"],
  ])("that asks for it is told what the bot can do: %s", async (input, sentence) => {
    await using parley = await german();
    const { response, intentDetected, metadata } = await parley.say(input);
    expect(intentDetected).toBe("social.help");
    expect(response).toStartWith(`${sentence}\n\nDabei kann ich`);
    expect(metadata.suggestions).toMatchObject([{ intent: "store.hours" }]);
  });

  test.each(["wann habt ihr geöffnet", "hi there!", "merci beaucoup", "hello"])(
    "is none where people of all languages write so: %s",
    async (input) => {
      await using parley = await german();
      expect((await parley.say(input)).response).not.toContain("\n\n");
    },
  );

  test("is none where the intent's examples are in it", async () => {
    const english = {
      name: "store.hours.en",
      examples: ["when are you open", "what are your opening hours", "is the shop open on sunday"],
      responses: ["9 to 5."],
    };
    await using parley = await german({ intents: [hours, english] });
    expect((await parley.say("what are your opening hours")).response).toBe("9 to 5.");
  });

  test("is worded by the bot file under that language", async () => {
    const texts = { en: { otherLanguage: "Sorry, {botName} writes {language} only." } };
    await using parley = await german({ texts });
    const { response } = await parley.say("where can I read about your opening hours");
    expect(response).toStartWith("Sorry, Shop writes German only.");
  });

  test("is left as it is where a schema judges the answer", async () => {
    await using parley = await german({
      intents: [{ ...hours, outputSchema: { type: "string" }, fallbackResponse: "Nein." }],
    });
    const { response } = await parley.say("wann habt ihr geöffnet, i want to know when you are open");
    expect(response).not.toContain("I can only answer");
  });
});

test.each([
  "удалите мой аккаунт и все мои данные. where is my order",
  "where is my order, proszę usunąć moje konto i wszystkie dane",
  "supprimez mon compte et toutes mes données. where is my order",
])(
  "what is denied is not answered where it stands beside a question in the bot's language: %s",
  async (input) => {
    await using parley = await startParley({ bots: [shopBot()] });
    expect((await parley.say(input)).metadata.capabilityAllowed).toBe(false);
  },
);
