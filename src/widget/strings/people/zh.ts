import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "有帮助",
  notHelpful: "没有帮助",
  why: "哪里不对？（选填）",
  thanks: "谢谢。",
  notSaved: "未保存。",
  talk: "与人工客服交谈",
  name: "姓名",
  email: "电子邮箱",
  phone: "电话",
  message: "留言",
  share: "附上此对话",
  away: "目前无人在线，{time}恢复服务。",
  cancel: "取消",
  needsContact: "请告诉我们如何联系您。",
  badEmail: "这不是电子邮箱地址。",
  notTaken: "未发送，您填写的内容已保留。",
  asked: "我们会尽快与您联系。",
  write: "我们会发邮件至{to}。",
  call: "我们会致电{to}。",
  here: "{name}已加入",
  botAgain: "您正在与助手对话",
  closed: "您的请求已关闭。您可以再次提出。",
};

export default strings;
