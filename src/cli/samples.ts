import { mkdirSync } from "node:fs";
import { join } from "node:path";

import acmeOrders from "../../data/acme-orders.yaml" with { type: "text" };
import acmeSupport from "../../data/acme-support.yaml" with { type: "text" };
import acmeCare from "../../data/acme-support/care.md" with { type: "text" };
import acmeGiftCards from "../../data/acme-support/gift-cards.md" with { type: "text" };
import acmeInternationalDelivery from "../../data/acme-support/international-delivery.md" with { type: "text" };
import acmePayment from "../../data/acme-support/payment.md" with { type: "text" };
import acmeRental from "../../data/acme-support/rental.md" with { type: "text" };
import acmeReturns from "../../data/acme-support/returns.md" with { type: "text" };
import acmeShipping from "../../data/acme-support/shipping.md" with { type: "text" };
import acmeShops from "../../data/acme-support/shops.md" with { type: "text" };
import acmeSizes from "../../data/acme-support/sizes.md" with { type: "text" };
import acmeTentsAndSleepingBags from "../../data/acme-support/tents-and-sleeping-bags.md" with { type: "text" };
import acmeTrailClub from "../../data/acme-support/trail-club.md" with { type: "text" };
import acmeWarrantyAndRepairs from "../../data/acme-support/warranty-and-repairs.md" with { type: "text" };
import cityKiosk from "../../data/city-kiosk.yaml" with { type: "text" };
import riversideClinic from "../../data/riverside-clinic.yaml" with { type: "text" };
import riversideAfterHours from "../../data/riverside-clinic/after-hours.md" with { type: "text" };
import riversideAppointments from "../../data/riverside-clinic/appointments.md" with { type: "text" };
import riversideFirstVisit from "../../data/riverside-clinic/first-visit.md" with { type: "text" };
import riversideGettingHere from "../../data/riverside-clinic/getting-here.md" with { type: "text" };
import riversideInsuranceAndPrices from "../../data/riverside-clinic/insurance-and-prices.md" with { type: "text" };
import riversideLab from "../../data/riverside-clinic/lab.md" with { type: "text" };
import riversideRecordsAndForms from "../../data/riverside-clinic/records-and-forms.md" with { type: "text" };
import riversideTestResultsAndPortal from "../../data/riverside-clinic/test-results-and-portal.md" with { type: "text" };
import riversideVaccinationsAndCheckUps from "../../data/riverside-clinic/vaccinations-and-check-ups.md" with { type: "text" };
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

/** The documents of the sample bots, by path relative to the bot files. */
const SAMPLE_DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ["acme-support/care.md", acmeCare],
  ["acme-support/gift-cards.md", acmeGiftCards],
  ["acme-support/international-delivery.md", acmeInternationalDelivery],
  ["acme-support/payment.md", acmePayment],
  ["acme-support/rental.md", acmeRental],
  ["acme-support/returns.md", acmeReturns],
  ["acme-support/shipping.md", acmeShipping],
  ["acme-support/shops.md", acmeShops],
  ["acme-support/sizes.md", acmeSizes],
  ["acme-support/tents-and-sleeping-bags.md", acmeTentsAndSleepingBags],
  ["acme-support/trail-club.md", acmeTrailClub],
  ["acme-support/warranty-and-repairs.md", acmeWarrantyAndRepairs],
  ["riverside-clinic/after-hours.md", riversideAfterHours],
  ["riverside-clinic/appointments.md", riversideAppointments],
  ["riverside-clinic/first-visit.md", riversideFirstVisit],
  ["riverside-clinic/getting-here.md", riversideGettingHere],
  ["riverside-clinic/insurance-and-prices.md", riversideInsuranceAndPrices],
  ["riverside-clinic/lab.md", riversideLab],
  ["riverside-clinic/records-and-forms.md", riversideRecordsAndForms],
  ["riverside-clinic/test-results-and-portal.md", riversideTestResultsAndPortal],
  ["riverside-clinic/vaccinations-and-check-ups.md", riversideVaccinationsAndCheckUps],
]);

/** Folder of the sample documents in a data folder. An operator may edit them; `knowledge refresh` reads them again. */
export function samplesFolder(dataDir: string): string {
  return join(dataDir, "samples");
}

/** Writes the sample documents to disk, so that they are read like other documents. */
export async function writeSampleDocuments(dataDir: string): Promise<void> {
  for (const [place, text] of SAMPLE_DOCUMENTS) {
    const file = join(samplesFolder(dataDir), place);
    mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
    await Bun.write(file, text);
  }
}
