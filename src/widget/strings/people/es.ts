import type { PeopleStrings } from "./en.ts";

const strings: PeopleStrings = {
  helpful: "Útil",
  notHelpful: "No útil",
  why: "¿Qué estaba mal? (opcional)",
  thanks: "Gracias.",
  notSaved: "No guardado.",
  talk: "Hablar con una persona",
  name: "Nombre",
  email: "Correo electrónico",
  phone: "Teléfono",
  message: "Mensaje",
  share: "Adjuntar esta conversación",
  away: "Ahora no hay nadie. Volvemos el {time}.",
  cancel: "Cancelar",
  needsContact: "Díganos cómo localizarle.",
  badEmail: "Esto no es una dirección de correo.",
  notTaken: "No enviado. Lo que ha escrito sigue aquí.",
  asked: "Alguien se pondrá en contacto con usted.",
  write: "Escribiremos a {to}.",
  call: "Llamaremos al {to}.",
  here: "{name} está aquí",
  botAgain: "Vuelve a escribir con el asistente",
  closed: "Su solicitud se ha cerrado. Puede volver a pedirlo.",
};

export default strings;
