/**
 * Words that answer or take up what was said before, in some common languages: yes, no, please, thanks, more, that one. They
 * only let a brief message lean on the turn before it; no decision to deny rests on them.
 */
export const REPLIES: ReadonlySet<string> = new Set(
  [
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
  ]
    .join(" ")
    .split(" "),
);

/** Those that say yes to a question. */
export const AGREEMENTS: ReadonlySet<string> = new Set(
  [
    "yes yeah yep yup sure ok okay fine right correct exactly",
    "ja jo doch genau gerne graag oui ouais d'accord accord sí si claro vale sì certo sim",
    "tak evet tamam да хорошо ладно نعم はい うん ええ 是 是的 好 好的 对 對 네 예",
  ]
    .join(" ")
    .split(" "),
);

/** Those that may stand beside one of them and change nothing. */
export const COURTESIES: ReadonlySet<string> = new Set(
  "please thanks thank you bitte danke merci svp gracias por favor grazie prego obrigado obrigada dank dankjewel proszę dziękuję lütfen пожалуйста спасибо 谢谢 請 请".split(
    " ",
  ),
);
