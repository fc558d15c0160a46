import { isFunctionWord } from "../../text/function-words.ts";
import type { Language } from "../../text/languages.ts";
import { hashWordText } from "../../text/word-hash.ts";

/** An ending with its replacements, in the spelling of `normaliseText`. */
interface Inflection {
  ending: RegExp;
  by: readonly string[];
}

const rule = (ending: RegExp, by: string): Inflection => ({
  ending,
  by: by.split(" ").map((form) => (form === "-" ? "" : form)),
});

const MIN_STEM_LENGTH = 3;
/** Words that are not plurals, for example "news". */
const NO_PLURALS = new Set(
  "news aids arms customs goods means savings species series lens gas bus plus sms gps dos las los mes tres".split(
    " ",
  ),
);

const ROMANCE_PLURALS = [rule(/$/, "s"), rule(/(?<=[^aeo])$/, "es")];
/** Regular inflection of nouns, adjectives and verbs. It over-generates on purpose: a form that does not exist denies nobody. */
const RULES: Readonly<Record<Language, readonly Inflection[]>> = {
  en: [
    rule(/$/, "s"),
    rule(/(?<=[^e])$/, "es ed ing"),
    rule(/(?<=[^aeiou])y$/, "ies ied"),
    rule(/e$/, "ing ed"),
    rule(/(?<=[^aeiou][aeiou])([bdgklmnprtz])$/, "$1$1ed $1$1ing"),
    rule(/fe?$/, "ves"),
    rule(/(?<=[^s])ies$/, "y ie"),
    rule(/(?<=[^s](?:s|x|z|ch|sh))es$/, "-"),
    rule(/(?<=[^suiy])s$/, "-"),
  ],
  de: [
    rule(/(?<=[^e])$/, "e en n s es er ern em ens nen innen in"),
    rule(/e$/, "en er es em ens"),
    rule(/um$/, "a en ums"),
    rule(/(?:us|a)$/, "en"),
    rule(/en$/, "- e er em es t te ten st est et end ung ungen"),
    rule(/(?<=[lr])n$/, "- e t te ten st nd ung ungen"),
    rule(/e[rs]$/, "e"),
  ],
  es: [
    ...ROMANCE_PLURALS,
    rule(/z$/, "ces"),
    rule(/o$/, "a as os"),
    rule(/a$/, "o os as"),
    rule(/s$/, "-"),
    rule(/(?<=[nlrd])es$/, "-"),
    rule(
      /ar$/,
      "o as a amos ais an e es emos en ando ado ada ados adas aba abas aban aste aron are aras ara aran aria arian arte arlo arla arlos arlas arse arme arle arles arnos",
    ),
    rule(
      /[ei]r$/,
      "o es e emos imos en a as an iendo ido ida idos idas ia ian io ieron ere era iria irlo irla irle erlo erla erle irse erse",
    ),
  ],
  fr: [
    rule(/$/, "s x e es"),
    rule(/al$/, "aux ale ales"),
    rule(/e?s$/, "-"),
    rule(/x$/, "-"),
    rule(/er$/, "e es ons ez ent ant ee ees ait aient era erait"),
    rule(/ir$/, "is it issons issez issent i ie ies issant"),
    rule(/re$/, "s ons ez ent u ue us ues ant"),
  ],
  it: [
    rule(/$/, "s i"),
    rule(/[oae]$/, "o a e i"),
    rule(/i$/, "o a e io"),
    rule(/c[oa]$/, "chi che ci"),
    rule(/g[oa]$/, "ghi ghe gi"),
    rule(/are$/, "o i a iamo ate ano ato ata ati ate ando ava ero era arlo arla armi arsi"),
    rule(/[ei]re$/, "o i e iamo ete ite ono uto uta ito ita endo eva iva erlo irlo"),
  ],
  nl: [
    rule(/$/, "s en e n er"),
    rule(/(?<=[^aeiou][aeiou])([bdfgklmnprst])$/, "$1$1en $1$1e"),
    rule(/([aeou])\1([bdfgklmnprstv])$/, "$1$2en $1$2e"),
    rule(/f$/, "ven ve"),
    rule(/s$/, "zen ze -"),
    rule(/en$/, "- t te ten d de den end"),
  ],
  pt: [
    ...ROMANCE_PLURALS,
    rule(/ao$/, "oes aes aos"),
    rule(/m$/, "ns"),
    rule(/ns$/, "m"),
    rule(/oes$/, "ao"),
    rule(/([aeou])l$/, "$1is"),
    rule(/il$/, "is eis"),
    rule(/o$/, "a as os"),
    rule(/a$/, "o os as"),
    rule(/s$/, "-"),
    rule(
      /ar$/,
      "o as a amos am e es emos em ando ado ada ados adas ava avam ei ou aram arei ara aria a-lo arme",
    ),
    rule(
      /[ei]r$/,
      "o es e emos imos em a as am endo indo ido ida idos idas ia iam eu iu eram iram erei irei",
    ),
  ],
};

const GERMAN_PREFIX =
  /^(?:ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|um|vor|weg|zu|zuruck|zusammen)(?=.{4,}n$)/;

/** German verbs insert "ge" or "zu" after a separable prefix: einschläfern, eingeschläfert, einzuschläfern. */
function germanParticiples(word: string): string[] {
  const prefix = GERMAN_PREFIX.exec(word)?.[0] ?? "";
  const stem = word.slice(prefix.length).replace(/e?n$/, "");
  if (!word.endsWith("n") || stem.length < MIN_STEM_LENGTH) return [];
  const participles = ["t", "et", "en", "te", "ter", "ten", "tes", "n"].map(
    (ending) => `${prefix}ge${stem}${ending}`,
  );
  return prefix === "" ? participles : [...participles, `${prefix}zu${word.slice(prefix.length)}`];
}

/**
 * All inflected forms of a word, including itself: plurals and singulars, cases, genders and regular verb forms. It over-generates on
 * purpose. For languages without rules only the word itself. @param word in the spelling of `normaliseText`
 */
export function inflectedForms(word: string, language: Language | undefined): ReadonlySet<string> {
  const forms = new Set([word]);
  if (language === undefined || !/^\p{L}{3,}$/u.test(word)) return forms;
  for (const { ending, by } of RULES[language]) {
    if (!ending.test(word)) continue;
    for (const other of by) addForm(forms, word, word.replace(ending, other));
  }
  if (language === "de") for (const form of germanParticiples(word)) forms.add(form);
  return forms;
}

/** Leaves out a shorter form that is a different word: a function word, or a false singular. */
function addForm(forms: Set<string>, word: string, form: string): void {
  if (form.length >= word.length) {
    forms.add(form);
    return;
  }
  const isOtherWord = NO_PLURALS.has(word) || isFunctionWord(hashWordText(form));
  if (form.length >= MIN_STEM_LENGTH && !isOtherWord) forms.add(form);
}
