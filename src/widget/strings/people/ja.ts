import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "役に立った",
  notHelpful: "役に立たなかった",
  why: "どこが問題でしたか（任意）",
  thanks: "ありがとうございます。",
  notSaved: "保存できませんでした。",
  talk: "担当者と話す",
  name: "お名前",
  email: "メールアドレス",
  phone: "電話番号",
  message: "メッセージ",
  share: "この会話を添付する",
  away: "現在は担当者が不在です。{time}に戻ります。",
  cancel: "キャンセル",
  needsContact: "ご連絡先を入力してください。",
  badEmail: "メールアドレスではありません。",
  notTaken: "送信できませんでした。入力内容は残っています。",
  asked: "担当者からご連絡します。",
  write: "{to}へご連絡します。",
  call: "{to}へお電話します。",
  here: "{name}が対応します",
  botAgain: "アシスタントとの会話に戻りました",
  closed: "ご依頼は終了しました。再依頼も可能です。",
};

export default strings;
