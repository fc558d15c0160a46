import type { Wording } from "../wording.ts";

export const JAPANESE: Wording = {
  welcomeMessage: "こんにちは！{botName}です。ご用件をお聞かせください。",
  DENY_LIST: "申し訳ありませんが、その件はお手伝いできません。",
  NOT_IN_ALLOW_LIST: "申し訳ありませんが、{botName}はその件には対応していません。",
  no_intent_match: "申し訳ありません、よくわかりませんでした。別の言い方でお願いできますか？",
  didYouMean: "次のどれでしょうか：{choices}？",
  noneOfThese: "どれでもない",
  noneChosen: "わかりました。ご用件を別の言い方で教えていただけますか？",
  partly: "「{rest}」については、残念ながらお答えできません。",
  noAnswerYet: "その件についてはまだお答えできません。",
  mayHelp: "こちらが参考になるかもしれません：",
  modelDown: "ただいまお答えできません。こちらから担当者にメッセージを残していただけます。",
  actionUnsure:
    "処理が完了したかどうか確認できません。ここで再度お試しにならないでください。担当者が確認いたします。",
  handoffLive: "メッセージを担当者に渡しました。担当者が対応しています。",
  "social.greeting": "こんにちは！ご用件をお聞かせください。",
  "social.thanks": "どういたしまして！ほかに何かありますか？",
  "social.goodbye": "ありがとうございました。よい一日を！",
  "social.identity": "私は{botName}、自動アシスタントです。人間ではありません。",
  "social.help": "次のことをお手伝いできます：",
  "social.abuse":
    "ご不便をおかけして申し訳ありません。ご用件を教えていただければ、できる限りお手伝いします。",
  "social.acknowledge": "承知しました。ほかに何かあればお知らせください。",
  "social.person": "承知しました。下から担当者との会話を依頼できます。ご依頼は担当チームに届きます。",
  "social.repair": "申し訳ありません、お求めの内容ではありませんでした。",
  repairInWords: "別の言い方でお願いできますか？",
  repairPerson: "下から担当者との会話を依頼することもできます。",
  otherLanguage: "ここでは{language}でのみお答えできます。",
  dataGiven: "こちらではお調べできません。",
  dataNamed: "{data}はこちらではお調べできません。",
  dataPassOn: "担当者にお伝えしましょうか？",
};
