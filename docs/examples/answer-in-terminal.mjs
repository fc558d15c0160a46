// Talks to a bot in the terminal, and to a person where the bot may not answer:
//   PARLEY_URL=https://chat.example PARLEY_BOT=acme PARLEY_TOKEN=parley_st_… node answer-in-terminal.mjs
import process from "node:process";
import { createInterface } from "node:readline";

import { createClient, ParleyError } from "./client.mjs";

const { PARLEY_URL, PARLEY_BOT, PARLEY_TOKEN } = process.env;
const client = createClient({ endpoint: PARLEY_URL, token: PARLEY_TOKEN, botId: PARLEY_BOT });
let conversationId;
let isPersonAsked = false;
let listening = Promise.resolve();

for await (const input of createInterface({ input: process.stdin })) {
  if (input.trim() !== "") await reported(() => answer(input));
}
// Whoever has asked for a person reads along until the person has closed the conversation.
await listening;

/** Writes an answer as it comes; where it offers a person, asks for one. */
async function answer(input) {
  for await (const event of client.stream(input, { conversationId })) {
    if (event.type === "meta") process.stdout.write("\nbot: ");
    if (event.type === "delta") process.stdout.write(event.text);
    if (event.type === "done") {
      process.stdout.write("\n");
      conversationId = event.answer.conversationId;
      if (event.answer.metadata.handoff?.state === "offered" && !isPersonAsked) await askForPerson(input);
    }
  }
}

async function askForPerson(message) {
  await client.handoff({ conversationId, message, shareTranscript: true });
  isPersonAsked = true;
  console.log("(A person has been asked.)");
  listening = reported(listen);
}

async function listen() {
  for await (const { kind, name, text } of client.follow(conversationId)) {
    if (kind === "operator") console.log(`${name}: ${text}`);
    if (kind === "state") console.log(`(${text})`);
  }
}

async function reported(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    console.error(`${error.code}: ${error.message}`);
    process.exitCode = 1;
  }
}
