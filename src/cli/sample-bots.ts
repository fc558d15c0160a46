import acmeOrders from "../../data/acme-orders.yaml" with { type: "text" };
import acmeSupport from "../../data/acme-support.yaml" with { type: "text" };
import cityKiosk from "../../data/city-kiosk.yaml" with { type: "text" };
import riversideClinic from "../../data/riverside-clinic.yaml" with { type: "text" };
import { BOT_RULES } from "../bots/rules.ts";
import type { BotDocument } from "../domain/bot.ts";
import { type BotSource, parseBotFiles } from "../seed/bot-file.ts";

const SOURCES: readonly BotSource[] = [
  { name: "acme-support.yaml", text: acmeSupport },
  { name: "acme-orders.yaml", text: acmeOrders },
  { name: "riverside-clinic.yaml", text: riversideClinic },
  { name: "city-kiosk.yaml", text: cityKiosk },
];

/** The bots that the executable carries. */
export function sampleBots(): BotDocument[] {
  return parseBotFiles(SOURCES, BOT_RULES).bots.map(({ document }) => document);
}
