import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "有幫助",
  notHelpful: "沒有幫助",
  why: "哪裡不對？（選填）",
  thanks: "謝謝您。",
  notSaved: "未儲存。",
  talk: "與真人客服對話",
  name: "姓名",
  email: "電子郵件",
  phone: "電話",
  message: "留言",
  share: "附上此對話",
  away: "目前無人在線上，服務將於{time}恢復。",
  cancel: "取消",
  needsContact: "請告訴我們如何與您聯絡。",
  badEmail: "這不是有效的電子郵件地址。",
  notTaken: "未傳送，您填寫的內容已保留。",
  asked: "我們會盡快與您聯絡。",
  write: "我們會寄電子郵件至 {to}。",
  call: "我們會致電 {to}。",
  here: "{name} 已加入",
  botAgain: "您現在由助理為您服務",
  closed: "您的請求已結案，您可以再次提出。",
};

export default strings;
