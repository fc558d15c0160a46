import { type Language, LANGUAGES, oncePerLanguage } from "../../text/languages.ts";
import { normaliseText } from "../../text/normalise.ts";
import { hashWordText } from "../features/features.ts";

/**
 * The most frequent words of some common languages, which say little of what a text is about. Hundreds of examples tell a classifier
 * which words those are; the few of a small bot cannot. In other languages every word counts alike.
 */
const FUNCTION_WORDS: Record<Language, string> = {
  en: "a about all also am an and any are as at be been but by can could d did do does doing for from get go going got had has have he hello help hi how i if in is it its just know last let like ll m make may me might more must my need no not now of off ok on one or our out please re s same she should so some t tell than thank thanks that the their them then there these they this those to too up us use ve want was we were what when where which who why will with would yes yet you your",
  de: "aber als am an auch auf aus bei bin bis bitte da das dass dein dem den der des die dir doch du ein eine einem einen einer er es für hab habe haben hast hat ich ihr im in ist ja kann kannst können man mein meine meinem meinen mich mir mit muss nach nicht noch nun oder schon sein sich sie sind so und uns vom von war was weil wenn wer werden wie will wir wird wo zu zum zur",
  fr: "ai as au aux avec avez avoir bonjour ce ces c comment d dans de des du elle en est et être il ils j je l la le les leur lui m ma mais me mes mon n ne nous on ou où par pas peut peux plus pour pourquoi qu quand que quel quelle qui s sa sans se ses si son sont sur ta te tes toi ton tu un une veux voudrais vous y",
  es: "a al algo como con cual cuál cuando cuándo de del donde dónde el ella en eres es esta está estoy este esto favor fue ha hay he hola la las le les lo los más me mi mis muy necesito no nos o para pero por porque puede puedo que qué quien quién quiero se ser si sí sin sobre son soy su sus tengo tiene tu tú un una y ya yo",
  it: "a ai al alla anche c che chi ci come con cosa cui da dal dalla de dei del della delle di do dove e è essere fa ha hai hanno ho i il in io l la le lo ma mi mia mio nel nella no non o per perché più posso può quale quando quanto qual quello questa questo se sei si sì sono su sul sulla ti tu un una uno vorrei voglio",
  pt: "ao as até com como da das de do dos e ela ele em essa esse esta está este eu foi há isso já mais mas me meu minha na não no nos o onde os ou para pela pelo por porque posso pra qual quando que quem quero se sem ser são seu sua também te tem tenho um uma você",
  nl: "aan al als bij dat de deze die dit een en er ga geen heb hebben heeft het hij hoe ik in is ja je jij kan kun maar me met mij mijn moet naar niet nog nu of om ook op te toch tot u uit van voor waar wanneer was wat we wel wie wil willen worden wordt zal ze zijn zo zou",
};

let all: ReadonlySet<number> | undefined;

/** Those of one language, as `hashWord` makes them. */
export const functionWordsOf = oncePerLanguage(
  (language): ReadonlySet<number> =>
    new Set(FUNCTION_WORDS[language].split(" ").map((word) => hashWordText(normaliseText(word)))),
);

/** Whether a word, given by `hashWord`, is one of them. */
export function isFunctionWord(hash: number): boolean {
  all ??= new Set(LANGUAGES.flatMap((language) => [...functionWordsOf(language)]));
  return all.has(hash);
}
