import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import {
  courtesiesOf,
  type CourtesySearch,
  languagesFrom,
  readingsOf,
  type SocialContext,
} from "../../../src/social/read-courtesies.ts";
import type { SocialSection } from "../../../src/social/social-phrases.ts";
import { LANGUAGES } from "../../../src/text/languages.ts";
import { type MessageWord, wordsOfMessage } from "../../../src/text/phrases/message-words.ts";
import { type Covers, coversFrom } from "../../../src/text/phrases/phrase-reader.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";
import { socialMessagesIn } from "./messages.ts";

const SEARCHES: CourtesySearch[] = [
  { withTypos: true, whole: true },
  { withTypos: false },
  { withTypos: false, backwards: true },
  { withTypos: false, backwards: true, sections: new Set<SocialSection>(["thanks", "goodbye", "filler"]) },
];

/** What phrases are found, in whichever language. */
const sectionsOf = (covers: Covers<SocialSection>) =>
  [...covers].map(([end, cover]) => [end, ...cover.map(({ section }) => section)]);

/** The languages whose readings are left out although they tell something that English does not. */
function wronglyLeftOut(message: readonly MessageWord[], context: SocialContext, search: CourtesySearch) {
  const courtesiesIn = courtesiesOf(message, context, search);
  const coversIn = (language: (typeof LANGUAGES)[number]) =>
    coversFrom(0, message.length, courtesiesIn(language));
  const english = sectionsOf(coversIn("en"));
  const read = new Map(
    [...readingsOf(message, context, search)].map(({ language, covers }) => [language, covers]),
  );
  return languagesFrom(context.language).filter((language) => {
    const covers = coversIn(language);
    const found = read.get(language);
    if (found !== undefined) return !Bun.deepEquals(found, covers);
    if (search.whole === true && !covers.has(message.length)) return false;
    return covers.size > 1 && !Bun.deepEquals(sectionsOf(covers), english);
  });
}

/** The texts of which something is left out that should not be. */
function wronglyRead(texts: readonly string[], context: SocialContext): unknown[] {
  return texts.flatMap((text) => {
    const words = wordsOfMessage(text).slice(0, 30);
    return SEARCHES.flatMap((search) => {
      const message = search.backwards === true ? words.slice(-14).toReversed() : words;
      const languages = wronglyLeftOut(message, context, search);
      return languages.length === 0 ? [] : [{ text, search, languages }];
    });
  });
}

const socialTexts = LANGUAGES.flatMap((language) => Object.values(socialMessagesIn(language)).flat());

describe("no reading is left out that would tell more than the others", () => {
  test.each(LANGUAGES)("of requests in %s", (language) => {
    const requests = generalRequestsIn(language).filter((_, index) => index % 2 === 0);
    expect(wronglyRead(requests, { language, botName: "Acme" })).toEqual([]);
    expect(wronglyRead(requests, {})).toEqual([]);
  });

  test.each([undefined, ...LANGUAGES])("of social messages to a bot in %s", (language) => {
    expect(wronglyRead(socialTexts, { language, botName: "Acme" })).toEqual([]);
  });

  test("of mixtures, with typing errors", () => {
    const requests = LANGUAGES.flatMap((language) => generalRequestsIn(language).slice(0, 300));
    const part = fc.oneof(fc.constantFrom(...socialTexts), fc.constantFrom(...requests), fc.constant("Acme"));
    const between = fc.constantFrom(" ", ", ", ". ", "! ", " 👋 ", " :) ", "\n", "");
    const mixture = fc
      .array(fc.tuple(part, between), { minLength: 1, maxLength: 4 })
      .map((all) => all.flat().join(""));
    const misspelt = fc
      .tuple(mixture, fc.nat(), fc.constantFrom("", "e", "x"))
      .map(([text, place, letter]) => {
        const at = place % text.length;
        return text.slice(0, at) + letter + text.slice(at + 1);
      });
    fc.assert(
      fc.property(fc.oneof(mixture, misspelt), fc.constantFrom(undefined, ...LANGUAGES), (text, language) => {
        expect(wronglyRead([text], { language, botName: "Acme" })).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });
});

test("what is reached from the end is what leads to the end", () => {
  const search: CourtesySearch = { withTypos: false };
  for (const text of socialTexts) {
    const message = wordsOfMessage(text).slice(0, 14);
    const turned = courtesiesOf(message.toReversed(), {}, { ...search, backwards: true });
    const courtesies = courtesiesOf(message, {}, search);
    for (const language of LANGUAGES) {
      const reached = coversFrom(0, message.length, turned(language));
      for (let start = 0; start <= message.length; start++) {
        const leads = coversFrom(start, message.length, courtesies(language)).has(message.length);
        expect({ text, start, leads }).toEqual({ text, start, leads: reached.has(message.length - start) });
      }
    }
  }
});
