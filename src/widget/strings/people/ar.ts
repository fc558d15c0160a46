import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "مفيد",
  notHelpful: "غير مفيد",
  why: "ما الخطأ؟ (اختياري)",
  thanks: "شكرًا لك.",
  notSaved: "لم يُحفظ.",
  talk: "التحدث إلى شخص",
  name: "الاسم",
  email: "البريد الإلكتروني",
  phone: "الهاتف",
  message: "الرسالة",
  share: "إرفاق هذه المحادثة",
  away: "لا يوجد أحد الآن. نعود {time}.",
  cancel: "إلغاء",
  needsContact: "أخبرنا كيف نتواصل معك.",
  badEmail: "هذا ليس عنوان بريد إلكتروني.",
  notTaken: "لم يُرسل. ما كتبته محفوظ.",
  asked: "سيتواصل معك أحدهم.",
  write: "سنكتب إلى {to}.",
  call: "سنتصل بالرقم {to}.",
  here: "{name} هنا",
  botAgain: "أنت تكتب إلى المساعد من جديد",
  closed: "أُغلق طلبك. يمكنك أن تطلب من جديد.",
};

export default strings;
