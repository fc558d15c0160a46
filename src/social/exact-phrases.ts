import type { SocialKind, TextLanguage } from "../domain/texts.ts";
import type { Language } from "../text/languages.ts";
import { type MessageWord, wordsOfMessage } from "../text/phrases/message-words.ts";

/** A language with built-in texts but without a phrase book: a message must be one of these phrases, word for word. */
type ExactLanguage = Exclude<TextLanguage, Language>;

/** A language's polite words that may precede or follow a phrase, and its phrases of each kind, separated by `|`. */
type ExactPhrases = { polite: string } & Partial<Record<SocialKind, string>>;

const PHRASES: Record<ExactLanguage, ExactPhrases> = {
  pl: {
    polite: "proszę | poproszę | bardzo proszę | dzień dobry | dziękuję",
    help: `
      czy mówisz po polsku | czy mówicie po polsku | mówicie po polsku | czy mogę pisać po polsku | po polsku`,
    person: `
      człowiek | konsultant | z człowiekiem | z konsultantem | obsługa klienta | rozmowa z człowiekiem |
      rozmowa z konsultantem | połącz z konsultantem | połącz mnie z konsultantem |
      połącz mnie z człowiekiem | o połączenie z konsultantem | chcę rozmawiać z człowiekiem |
      chcę rozmawiać z konsultantem | chcę porozmawiać z człowiekiem | chcę porozmawiać z konsultantem |
      chciałbym porozmawiać z człowiekiem | chciałabym porozmawiać z człowiekiem |
      chciałbym porozmawiać z konsultantem | chciałabym porozmawiać z konsultantem |
      czy mogę porozmawiać z człowiekiem | czy mogę porozmawiać z konsultantem |
      czy mogę rozmawiać z człowiekiem | czy mogę z kimś porozmawiać | mogę porozmawiać z człowiekiem |
      potrzebuję konsultanta`,
    repair: `
      to nieprawda | to nie jest prawda | to jest źle | to źle | to błąd | to nie jest poprawne |
      nie o to pytałem | nie o to pytałam | nie o to mi chodzi | nie o to mi chodziło | pytałem o coś innego |
      pytałam o coś innego | to nie odpowiada na moje pytanie | to nie jest odpowiedź na moje pytanie |
      to mi nie pomaga | to nie pomaga | już to mówiłeś | już to napisałeś | ciągle to samo |
      ta sama odpowiedź | powtórz | czy możesz powtórzyć | nie rozumiem | dlaczego nie | chcę złożyć skargę |
      chcę złożyć reklamację | zła odpowiedź`,
  },
  tr: {
    polite: "lütfen | merhaba | teşekkürler | rica ediyorum",
    help: `
      türkçe biliyor musun | türkçe biliyor musunuz | türkçe konuşuyor musunuz | türkçe yazabilir miyim | türkçe`,
    person: `
      insan | gerçek kişi | gerçek bir kişi | gerçek bir insan | temsilci | müşteri temsilcisi |
      müşteri hizmetleri | canlı destek | temsilciye bağla | temsilciye bağlan | müşteri temsilcisine bağla |
      beni temsilciye bağla | beni bir temsilciye bağlayın | beni müşteri temsilcisine bağlayın |
      bir insanla konuşmak istiyorum | insanla konuşmak istiyorum | gerçek biriyle konuşmak istiyorum |
      gerçek bir kişiyle konuşmak istiyorum | biriyle konuşmak istiyorum | yetkiliyle görüşmek istiyorum |
      bir yetkiliyle görüşmek istiyorum | temsilciyle görüşmek istiyorum |
      müşteri temsilcisiyle görüşmek istiyorum | bir insanla konuşabilir miyim | biriyle konuşabilir miyim |
      bir temsilciyle görüşebilir miyim`,
    repair: `
      bu yanlış | yanlış | bu doğru değil | doğru değil | onu sormadım | bunu sormadım | sorduğum bu değil |
      sorduğum bu değildi | başka bir şey sordum | soruma cevap vermedin | soruma cevap vermediniz |
      sorumu yanıtlamadınız | bu yardımcı olmadı | bunu zaten söyledin | bunu zaten söylediniz |
      bunu söylemiştin | aynı cevap | hep aynı cevap | tekrar söyle | tekrar eder misin |
      tekrar eder misiniz | anlamadım | neden olmasın | neden olmuyor | şikayet etmek istiyorum |
      şikayetçiyim | yanlış cevap | yanlış anladın | yanlış anladınız`,
  },
  ar: {
    polite: "من فضلك | لو سمحت | رجاء | رجاءً | مرحبا | شكرا",
    help: `
      هل تتحدث العربية | هل تتكلم العربية | هل تفهم العربية | هل يمكنني الكتابة بالعربية | بالعربية`,
    person: `
      موظف | إنسان | شخص حقيقي | خدمة العملاء | ممثل خدمة العملاء | موظف خدمة العملاء | التحدث إلى شخص |
      التحدث مع شخص | التحدث مع موظف | أريد التحدث إلى شخص | أريد التحدث مع شخص | أريد التحدث مع شخص حقيقي |
      أريد التحدث إلى إنسان | أريد التحدث مع إنسان | أريد التحدث إلى موظف | أريد التحدث مع موظف |
      أريد التحدث مع خدمة العملاء | أريد أن أتحدث مع شخص | أريد أن أتحدث مع موظف | هل يمكنني التحدث إلى شخص |
      هل يمكنني التحدث مع شخص | هل يمكنني التحدث مع إنسان | هل يمكنني التحدث مع موظف | حولني إلى موظف |
      حولني إلى خدمة العملاء`,
    repair: `
      هذا خطأ | خطأ | هذا غير صحيح | غير صحيح | هذا ليس صحيحا | ليس هذا ما سألت عنه | لم أسأل عن هذا |
      لم أسأل عن ذلك | سألت عن شيء آخر | لم تجب على سؤالي | لم تجب عن سؤالي | هذا لا يجيب على سؤالي |
      هذا لا يساعدني | هذا لا يفيدني | لقد قلت هذا من قبل | قلت هذا من قبل | نفس الجواب | نفس الإجابة |
      أعد ما قلت | هل يمكنك التكرار | كرر | لم أفهم | لا أفهم | لماذا لا | لم لا | أريد تقديم شكوى |
      أريد أن أشتكي | إجابة خاطئة`,
  },
  ja: {
    polite: "お願いします | をお願いします | お願い | ください | すみません | です | か",
    help: `
      日本語できますか | 日本語は話せますか | 日本語が話せますか | 日本語で話せますか | 日本語で`,
    person: `
      人間 | オペレーター | 有人チャット | 有人対応 | 担当者 | 人と話したい | 人と話したいです | 人間と話したい | 人間と話したいです | 人と話せますか | 人間と話せますか |
      誰かと話したい | 誰かと話せますか | 担当者と話したい | 担当者と話したいです | 担当者と話せますか | 担当者につないで | 担当者に繋いで | スタッフと話したい | スタッフにつないで |
      オペレーターと話したい | オペレーターと話したいです | オペレーターと話せますか | オペレーターにつないで | オペレーターに繋いで`,
    repair: `
      違う | 違います | ちがう | ちがいます | それは違う | それは違います | 間違っている | 間違っています | それは間違い | そうではありません | そうじゃない | 聞いたことと違う |
      聞いたことと違います | そんなことは聞いていない | そんなことは聞いていません | 質問の答えになっていない | 質問の答えになっていません | 答えになっていない | 役に立たない |
      役に立ちません | さっき聞いた | さっきも聞きました | それはさっき聞きました | 同じ答え | もう一度言って | もう一度 | わからない | わかりません | 意味がわからない | なぜですか |
      なんでだめなの | クレームを言いたい | 苦情を言いたい`,
  },
  zh: {
    polite: "请 | 谢谢 | 你好 | 您好 | 麻烦 | 吗 | 可以吗",
    help: `
      会说中文 | 你会说中文 | 可以说中文 | 能说中文 | 可以用中文 | 你会中文 | 中文`,
    person: `
      人工 | 真人 | 转人工 | 人工客服 | 真人客服 | 人工服务 | 转人工客服 | 转人工服务 | 转接人工 | 转接人工客服 | 找人工 | 找人工客服 | 我要人工 | 我要人工客服 |
      我要转人工 | 我要找人工客服 | 我想找人工客服 | 联系客服 | 我要联系客服 | 联系人工客服 | 我想和真人说话 | 我想跟真人说话 | 我想和真人聊 | 我要和真人说话 | 可以和真人说话 |
      能和真人说话 | 能转人工 | 可以转人工`,
    repair: `
      不对 | 这不对 | 错了 | 这是错的 | 你错了 | 您错了 | 说错了 | 不是这样 | 我问的不是这个 | 我不是问这个 | 我没问这个 | 我问的是别的 | 答非所问 | 你没有回答我的问题 |
      没有回答我的问题 | 这没有帮助 | 没用 | 这没用 | 你说过了 | 你已经说过了 | 刚才说过了 | 又是一样的回答 | 一样的回答 | 再说一遍 | 请再说一次 | 再说一次 | 我不明白 |
      我没听懂 | 听不懂 | 为什么不 | 为什么不行 | 为什么不可以 | 我要投诉 | 我想投诉`,
  },
};

const phrasesIn = (list: string): string[] => list.split("|").map((phrase) => phrase.trim());

/** A message that is one of the phrases. */
interface ExactTurn {
  kind: SocialKind;
  language: ExactLanguage;
}

interface Index {
  turns: ReadonlyMap<string, ExactTurn>;
  firstWords: ReadonlySet<string>;
}

const CHINESE_OR_JAPANESE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

let index: Index | undefined;

/** The social turn that a message is, by its words; signs, emoji, spaces, and politeness before or after do not matter. */
export function exactTurnOf(message: readonly MessageWord[]): ExactTurn | undefined {
  const [first] = message;
  if (first === undefined) return undefined;
  index ??= indexed();
  const isPossible = index.firstWords.has(keyOf([first])) || CHINESE_OR_JAPANESE.test(first.text);
  return isPossible ? index.turns.get(keyOf(message)) : undefined;
}

function indexed(): Index {
  const turns = new Map<string, ExactTurn>();
  const firstWords = new Set<string>();
  for (const language of Object.keys(PHRASES) as ExactLanguage[]) {
    const { polite, ...kinds } = PHRASES[language];
    const around = ["", ...phrasesIn(polite)];
    for (const [kind, list] of Object.entries(kinds) as [SocialKind, string][]) {
      for (const phrase of phrasesIn(list).flatMap((one) => around.map((before) => `${before} ${one}`))) {
        firstWords.add(keyOf(wordsOfMessage(phrase).slice(0, 1)));
        for (const behind of around) {
          turns.set(keyOf(wordsOfMessage(`${phrase} ${behind}`)), { kind, language });
        }
      }
    }
  }
  return { turns, firstWords };
}

/** Removes spaces, which some languages lack, and the marks and letter variants of alif, ya and ta marbuta that Arabic writers often leave out. */
function keyOf(message: readonly MessageWord[]): string {
  const key = message.map(({ kind, text }) => (kind === "word" ? text : "")).join("");
  if (!/\p{Script=Arabic}/u.test(key)) return key;
  return key
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll("ى", "ي")
    .replaceAll("ة", "ه");
}
