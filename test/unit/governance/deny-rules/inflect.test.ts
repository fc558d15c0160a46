import { describe, expect, test } from "bun:test";

import { inflectedForms } from "../../../../src/governance/deny-rules/inflect.ts";
import type { Language } from "../../../../src/text/languages.ts";

describe("a word has its inflected forms", () => {
  test.each<[Language, string, string]>([
    ["en", "xanax", "xanax xanaxes"],
    ["en", "pills", "pill pills"],
    ["en", "hack", "hacks hacked hacking"],
    ["en", "ban", "bans banned banning"],
    ["en", "bribe", "bribes bribed bribing"],
    ["en", "therapy", "therapies"],
    ["de", "waffe", "waffen"],
    ["de", "antibiotikum", "antibiotika antibiotikums"],
    ["de", "kampfhund", "kampfhunde kampfhunden kampfhundes"],
    ["de", "einschlafern", "einschlafert eingeschlafert einzuschlafern einschlaferung"],
    ["es", "indemnizacion", "indemnizaciones"],
    ["es", "hackear", "hackeo hackea hackeado hackearla"],
    ["fr", "cheval", "chevaux"],
    ["fr", "arme", "armes"],
    ["it", "banca", "banche"],
    ["it", "arma", "armi"],
    ["nl", "wapen", "wapens"],
    ["nl", "bom", "bommen"],
    ["pt", "pensao", "pensoes"],
    ["pt", "refem", "refens"],
  ])("%s: %s", (language, word, forms) => {
    expect([...inflectedForms(word, language)]).toEqual(expect.arrayContaining([word, ...forms.split(" ")]));
  });

  test.each<[Language, string, string]>([
    ["en", "news", "new"],
    ["en", "aids", "aid"],
    ["en", "ass", "as"],
    ["en", "codeine", "codeineed"],
    ["es", "los", "lo"],
  ])("%s: %s is no form of %s", (language, word, other) => {
    expect(inflectedForms(word, language).has(other)).toBe(false);
  });

  test("alone where the language has no rules", () => {
    expect([...inflectedForms("bron", undefined)]).toEqual(["bron"]);
  });
});
