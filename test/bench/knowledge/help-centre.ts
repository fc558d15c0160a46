/**
 * A help centre of 500 pages, made by a script, in the executable: `bun test/bench/knowledge/help-centre.ts` seeds it, asks fifty questions as
 * visitors would, and prints every answer, for a person to read. The tally at the end counts the pages that answers link to. `npm run
 * build` comes first.
 */
import type { ChatResponse } from "../../../src/domain/chat.ts";
import { HELP_CENTRE, helpPages } from "../../support/help-centre.ts";
import { serveDocuments } from "./executable-bot.ts";

/** Each with the pages that answer it, by the end of their address; none if no page does. */
const QUESTIONS: readonly (readonly [text: string, ...pages: string[]])[] = [
  ["when does my bill come", "account/your-bill"],
  ["why is my first bill so high", "account/your-bill"],
  ["can I pay in cash", "account/ways-to-pay"],
  ["what happens if I pay late", "account/paying-late"],
  ["how do I cancel my contract", "account/cancelling-your-contract"],
  ["I want to keep my old number", "account/keeping-your-number"],
  ["my phone was stolen", "account/lost-or-stolen-phone"],
  ["is water damage insured", "account/insurance"],
  ["how much is a new screen", "account/repairs"],
  ["what does a new battery cost", "account/repairs"],
  ["do students get a discount", "account/student-discount"],
  ["how do I top up", "account/prepaid"],
  ["how long does my credit last", "account/prepaid"],
  ["I forgot my password", "account/your-account"],
  ["how much data does an hour of video use", "account/using-less-data"],
  ["there is no signal at my house", "account/coverage"],
  ["how do I report spam texts", "account/unwanted-calls-and-texts"],
  ["can I add my daughter to my plan", "account/family-plans"],
  ["what does it cost to call on a plane", "account/ships-and-planes"],
  ["do I have to pass a credit check", "account/credit-check"],
  ["what does a call cost in Japan", "roaming/roaming-in-japan"],
  ["is there a day pass for Brazil", "roaming/roaming-in-brazil"],
  ["emergency number in Norway", "roaming/roaming-in-norway"],
  ["how much is data in Peru?", "roaming/roaming-in-peru"],
  ["when is the shop in Leeds open", "shops/our-shop-in-leeds"],
  ["where is your shop in York", "shops/our-shop-in-york"],
  ["can I park at the Bristol shop", "shops/our-shop-in-bristol"],
  ["do you repair phones in Cardiff", "shops/our-shop-in-cardiff"],
  ["how do I turn on wifi calling on my iphone", "features/using-wi-fi-calling-on-iphone"],
  ["set up call forwarding android", "features/using-call-forwarding-on-android"],
  ["how do I block a number on iphone", "features/using-blocking-a-number-on-iphone"],
  ["how long does the Vela Max take to charge", "phones/vela-max-battery-memory-and-reset"],
  ["does the Lyra Mini take a memory card", "phones/lyra-mini-battery-memory-and-reset"],
  ["where does the sim go in the Orion Pro", "phones/setting-up-the-orion-pro"],
  ["what does error 135 mean", "errors/error-135-no-network-found"],
  ["my phone says error 450", "errors/error-450-no-network-found", "errors/error-450-activation-failed"],
  ["how much is the Family L plan", "plans/the-family-l-plan"],
  ["can I cancel Prepaid S every month", "plans/the-prepaid-s-plan"],
  ["Wie viel kostet ein Anruf in Japan?", "roaming/roaming-in-japan"],
  ["¿Cómo puedo cancelar mi contrato?", "account/cancelling-your-contract"],
  ["do you sell washing machines"],
  ["what does a call cost in Australia"],
  ["when is the shop in Paris open"],
  ["how do I cook rice"],
  ["my phone says error 999"],
  ["who is your chief executive"],
  ["can I pay with bitcoin"],
  ["do you have a job for me"],
  ["how do I fix my printer"],
  ["hello there"],
];

function outcomeOf(answer: ChatResponse, pages: readonly string[]): string {
  const { sources = [] } = answer.metadata;
  const isRight = sources.some(({ url }) =>
    pages.some((page) => url?.split("#")[0] === `${HELP_CENTRE}${page}`),
  );
  if (sources.length === 0) return pages.length === 0 ? "rightly not known" : "not known";
  if (pages.length === 0) return "answered falsely";
  return `answered: ${isRight ? "the right page" : "another page"}`;
}

await using served = await serveDocuments(
  helpPages().map(({ path, markdown }) => ({ path, text: markdown })),
);
console.log(served.seeded);
const tally = new Map<string, number>();
for (const [text, ...pages] of QUESTIONS) {
  const { answer } = await served.ask(text);
  const outcome = outcomeOf(answer, pages);
  tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  const links = (answer.metadata.sources ?? []).map(({ title, url }) => `    ${title} <${url}>`);
  console.log([`${text}\n  [${outcome}] ${answer.response}`, ...links].join("\n"));
}
console.log(`\nseeded in ${served.seedSeconds.toFixed(1)} s`);
for (const [outcome, count] of tally) console.log(`${String(count).padStart(3)} ${outcome}`);
