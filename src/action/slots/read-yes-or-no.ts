import { courtesiesOf, languagesFrom } from "../../social/read-courtesies.ts";
import type { SocialSection } from "../../social/social-phrases.ts";
import { recogniseSocialTurn } from "../../social/social-turn.ts";
import { type MessageWord, wordsOfMessage } from "../../text/phrases/message-words.ts";
import { type ReadPhrase, coversFrom } from "../../text/phrases/phrase-reader.ts";

/** Replies to a question; for languages without phrase books, the only ones. `|` separates phrases, each a whole message. */
const EXACT = {
  yes: `confirm | confirmed | i confirm | do it | yes do it | go ahead | yes go ahead | of course | bestätigt | ich bestätige | mach das | natürlich | na klar | confirmo | por supuesto | claro | hazlo |
    je confirme | bien sûr | vas-y | allez-y | confermo | certo | certamente | bevestigd | ik bevestig | doe maar | natuurlijk | zeker | com certeza | pode ser | tak | no tak | tak proszę | tak, proszę | dobrze | zgadza się | oczywiście | potwierdzam | pewnie | evet | evet lütfen | tamam | olur | doğru | onaylıyorum | tabii | peki |
    نعم | نعم من فضلك | أجل | موافق | أكيد | بالتأكيد | صحيح | أؤكد | はい | はい お願いします | お願いします | そうです | ええ | 了解です | 是 | 是的 | 对 | 对的 | 好 | 好的 | 可以 | 确认 | 没错 | 當然 | 確認 | 行`,
  no: `nie | nie dziękuję | nie, dziękuję | nie chcę | anuluj | hayır | hayır teşekkürler | yok | istemiyorum | vazgeçtim | iptal | لا | لا شكرا | لا أريد | كلا | إلغاء | いいえ | いや | いりません |
    やめます | キャンセル | 違います | 不 | 不是 | 不用 | 不要 | 不了 | 取消 | 算了 | 不对`,
} as const;

/** Phrases that end a dialogue, in visitors' languages; `|` separates them. */
const NEVER_MIND = `never mind | nevermind | forget it | forget about it | cancel | cancel that | cancel this | stop | stop it | stop that | leave it | leave it be | no never mind | drop it | skip it | not now | no thanks | no thank you | i changed my mind | dont bother | do not bother |
  vergiss es | vergessen sie es | egal | schon gut | abbrechen | abbruch | stopp | lass gut sein | lassen wir das | lass es | nein danke | doch nicht | nicht mehr nötig | hat sich erledigt | erledigt | vergiss das |
  olvídalo | olvidalo | déjalo | dejalo | da igual | no importa | cancelar | cancela | no gracias | ya no | para | olvídelo | déjelo |
  laisse tomber | laissez tomber | oublie | oubliez | oubliez ça | oublie ça | peu importe | annuler | annule | annulez | tant pis | non merci | arrête | arrêtez | ce n'est plus la peine |
  lascia stare | lasci stare | lascia perdere | lasci perdere | non importa | annulla | fa niente | no grazie | non fa niente | basta così |
  laat maar | laat maar zitten | maakt niet uit | annuleren | annuleer | nee bedankt | vergeet het | hoeft niet meer | hoeft niet |
  deixa | deixa para lá | deixa pra lá | esquece | esqueça | não importa | tanto faz | cancela | não obrigado | não obrigada |
  nieważne | zapomnij | anuluj | nie trzeba | rezygnuję | boş ver | boşver | vazgeçtim | gerek yok | iptal | iptal et | لا يهم | انسى الأمر | انس الأمر | إلغاء | لا داعي |
  もういいです | もういい | いいです | やめます | やめる | キャンセル | 結構です | 算了 | 不用了 | 取消 | 没事了 | 没关系了 | 別管了`;

/** Words that do not weaken a yes, unlike "wait", "maybe" and "but"; `|` separates them. */
const BESIDE_YES = `please | kindly | and | so | well | then | oh | ah | great | cool | nice | perfect | awesome | excellent | wonderful | fantastic | brilliant | lovely | super | good | very good | fine | thats fine | that is fine | thats great | correct | thats correct | right | true | understood | got it | i understand |
  bitte | und | also | dann | gern | gerne | na | ach | toll | prima | klasse | perfekt | wunderbar | gut | sehr gut | fein | schön | verstanden | alles klar | passt | das passt | stimmt |
  por favor | y | pues | entonces | genial | perfecto | excelente | bueno | bien | muy bien | entendido | estupendo |
  s'il vous plaît | s'il te plaît | svp | stp | et | alors | donc | bon | bien | très bien | parfait | super | génial | compris |
  per favore | per piacere | e | allora | bene | molto bene | va bene | perfetto | ottimo | benissimo | capito |
  alstublieft | alsjeblieft | aub | graag | en | dan | hoor | prima | perfect | mooi | goed | heel goed | begrepen |
  se faz favor | então | bem | muito bem | perfeito | ótimo | entendi | isso`;

const keyOfWords = (words: readonly MessageWord[]): string => words.map(({ text }) => text).join("");
const keyOf = (text: string): string => keyOfWords(wordsOfMessage(text));

const keysOf = (list: string): ReadonlySet<string> =>
  new Set(list.split("|").map((phrase) => keyOf(phrase.trim())));

let phrases: Record<"yes" | "no" | "neverMind" | "besideYes", ReadonlySet<string>> | undefined;
const phraseKeys = () =>
  (phrases ??= {
    yes: keysOf(EXACT.yes),
    no: keysOf(EXACT.no),
    neverMind: keysOf(NEVER_MIND),
    besideYes: keysOf(BESIDE_YES),
  });

/** Maximum length of a yes or no, in characters. */
const LONGEST = 100;

/** Whether a message is only a yes or a no, in any language; undefined if it says anything else, asks, or doubts. Pure. */
export function readYesOrNo(text: string, language: string): "yes" | "no" | undefined {
  if (text.length > LONGEST || /[?？؟]/u.test(text)) return undefined;
  const words = wordsOfMessage(text);
  const key = keyOfWords(words);
  const { yes, no } = phraseKeys();
  if (yes.has(key)) return "yes";
  if (no.has(key)) return "no";
  const turn = recogniseSocialTurn(text, { language });
  // "ok, but no" is neither.
  if (turn?.kind !== "acknowledge") return undefined;
  return turn.says === "yes" && !isPlainYes(words, language) ? undefined : turn.says;
}

const PLAIN: ReadonlySet<SocialSection> = new Set(["yes", "addressee"]);

/** Whether each part of a message is a yes, an address ("Mrs …"), or a word that does not weaken a yes. */
function isPlainYes(words: readonly MessageWord[], language: string): boolean {
  const { besideYes } = phraseKeys();
  const courtesiesIn = courtesiesOf(words, { language }, { withTypos: true });
  const isPlain = ({ section, start, end }: ReadPhrase<SocialSection>) =>
    PLAIN.has(section) || besideYes.has(keyOfWords(words.slice(start, end)));
  return languagesFrom(language).some((one) => {
    const phrasesFrom = courtesiesIn(one);
    const covers = coversFrom(0, words.length, (position) => phrasesFrom(position).filter(isPlain));
    return covers.has(words.length);
  });
}

/** Whether a message ends the dialogue. Pure. */
export function saysNeverMind(text: string): boolean {
  return text.length <= LONGEST && phraseKeys().neverMind.has(keyOf(text));
}
