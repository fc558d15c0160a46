import { normaliseText } from "../../text/normalise.ts";

/** The set of words in some lines, in the spelling of `normaliseText`. */
const wordsIn = (...lines: string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ").map(normaliseText)));

/**
 * Words that answer or take up the message before, in common languages: yes, no, please, thanks, more, that one. They only make a brief
 * message depend on the turn before; no denial depends on them.
 */
export const REPLIES: ReadonlySet<string> = wordsIn(
  "yes yeah yep yup sure ok okay fine right correct exactly no nope not please thanks thank you more again why how when",
  "this that these those it them one ones both neither either another other same next last first second the a an is and or",
  "ja jo doch genau gerne nein nee bitte danke mehr warum wie wann das dieses der die den andere anderen gleiche",
  "oui ouais non merci encore plus pourquoi comment quand ça celui celle autre le la les d'accord accord svp",
  "sí si no vale claro gracias más mas porque cuándo cómo ese esa este esta otro otra el los las favor por",
  "sì certo grazie ancora perché quando come quello quella questo altro altra il lo gli prego",
  "sim não nao obrigado obrigada mais quando como esse essa outro outra o os as",
  "nee graag dank dankjewel meer waarom hoe wanneer dat deze andere het de",
  "tak nie proszę dziękuję więcej dlaczego jak kiedy to ten inny drugi",
  "evet hayır hayir tamam lütfen teşekkürler daha neden nasıl bu şu diğer",
  "да нет хорошо ладно пожалуйста спасибо ещё еще почему как когда это тот другой",
  "نعم لا حسنا شكرا من فضلك المزيد لماذا كيف متى هذا ذلك",
  "はい いいえ うん ええ お願いします ありがとう もっと それ これ 是 是的 好 好的 不 不是 谢谢 請 请 對 对 네 아니요 예",
);

/** Words that say yes. */
export const AGREEMENTS: ReadonlySet<string> = wordsIn(
  "yes yeah yep yup sure ok okay right correct exactly",
  "ja jo doch genau gerne graag klopt precies oui ouais d'accord accord exactement sí si claro vale exacto",
  "sì certo esatto sim exato pois tak evet tamam да хорошо ладно نعم はい うん ええ 是 是的 好 好的 对 對 네 예",
);

/** Words that say no. */
export const DISAGREEMENTS: ReadonlySet<string> = wordsIn(
  "no nope nein nee non não nao nie hayır hayir нет لا いいえ 不 不是 아니요",
);

/** Words that may accompany a yes: "that's it", "claro que sí". */
export const BESIDE_AGREEMENTS: ReadonlySet<string> = wordsIn(
  "that's thats that is it one das dat meine bedoel ich ik c'est ça que mesmo isso eso è così",
);

/** Polite words without further meaning. */
export const REQUESTING_WORDS: ReadonlySet<string> = wordsIn(
  "please bitte svp favor por prego proszę lütfen пожалуйста 請 请",
);

/** Words of thanks. */
export const THANKS: ReadonlySet<string> = wordsIn(
  "thanks thank danke merci gracias grazie obrigado obrigada dank dankjewel dziękuję teşekkürler спасибо شكرا ありがとう 谢谢",
);
