import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "Yararlı",
  notHelpful: "Yararlı değil",
  why: "Sorun neydi? (isteğe bağlı)",
  thanks: "Teşekkürler.",
  notSaved: "Kaydedilmedi.",
  talk: "Bir kişiyle görüş",
  name: "Ad",
  email: "E-posta",
  phone: "Telefon",
  message: "Mesaj",
  share: "Bu konuşmayı ekle",
  away: "Şu anda kimse yok. Yeniden buradayız: {time}.",
  cancel: "İptal",
  needsContact: "Size nasıl ulaşabileceğimizi yazın.",
  badEmail: "Bu bir e-posta adresi değil.",
  notTaken: "Gönderilemedi. Yazdıklarınız duruyor.",
  asked: "Birisi size dönüş yapacak.",
  write: "{to} adresine yazacağız.",
  call: "{to} numarasını arayacağız.",
  here: "{name} burada",
  botAgain: "Yeniden asistanla yazışıyorsunuz",
  closed: "Talebiniz kapatıldı. Yeniden isteyebilirsiniz.",
};

export default strings;
