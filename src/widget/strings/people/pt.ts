import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "Útil",
  notHelpful: "Não útil",
  why: "O que estava errado? (opcional)",
  thanks: "Obrigado.",
  notSaved: "Não foi guardado.",
  talk: "Falar com uma pessoa",
  name: "Nome",
  email: "E-mail",
  phone: "Telefone",
  message: "Mensagem",
  share: "Anexar esta conversa",
  away: "Não está ninguém agora. Voltamos {time}.",
  cancel: "Cancelar",
  needsContact: "Diga-nos como o contactar.",
  badEmail: "Isto não é um endereço de e-mail.",
  notTaken: "Não enviado. O que escreveu foi mantido.",
  asked: "Alguém entrará em contacto.",
  write: "Escreveremos para {to}.",
  call: "Ligaremos para {to}.",
  here: "{name} está aqui",
  botAgain: "Está novamente a escrever com o assistente",
  closed: "O seu pedido foi encerrado. Pode pedir de novo.",
};

export default strings;
