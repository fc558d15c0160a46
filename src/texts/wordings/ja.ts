import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "申し訳ありませんが、その件はお手伝いできません。",
  "refusals.NOT_IN_ALLOW_LIST": "申し訳ありませんが、{botName}はその件を扱っておりません。",
  "refusals.no_intent_match":
    "申し訳ありません、よく分かりませんでした。別の言い方でお聞かせいただけますか。",
  "didYouMean.one": "もしかして、{choice}のことでしょうか。",
  "didYouMean.several": "もしかして、{choices}のことでしょうか。",
  "didYouMean.list": "次のうち、どれのことでしょうか。",
  noneOfThese: "この中にはない",
  noneChosen: "承知しました。ご用件を別の言い方でお聞かせいただけますか。",
  "social.greeting": "こんにちは。どのようなご用件でしょうか。",
  "social.thanks": "どういたしまして。ほかにお手伝いできることはありますか。",
  "social.goodbye": "ご利用ありがとうございました。またお越しください。",
  "social.identity": "{botName}です。人ではなく、自動応答のアシスタントです。どのようなご用件でしょうか。",
  "social.help": "次のことについてお答えできます：{choices}。お気軽にご質問ください。",
  "social.helpWithoutChoices": "お気軽にご質問ください。できる限りお手伝いします。",
  "social.abuse": "お役に立てず申し訳ありません。ご用件を短くお書きいただければ、もう一度お答えします。",
  "social.acknowledge": "承知しました。ほかにお手伝いできることはありますか。",
  partly: "「{rest}」については、申し訳ありませんが分かりません。",
  handoffLive: "担当者がこのチャットを引き継ぎました。こちらでお返事いたします。",
  mayHelp: "こちらが参考になるかもしれません：",
  notKnown: "申し訳ありませんが、その答えは分かりません。",
};

export default texts;
