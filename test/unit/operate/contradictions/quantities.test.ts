import { expect, test } from "bun:test";

import { type Quantity, quantitiesIn } from "../../../../src/operate/contradictions/quantities.ts";

const inShort = ({ kind, value }: Quantity) => `${kind} ${value}`;

test.each<[text: string, ...quantities: string[]]>([
  ["Open Tuesday to Saturday, 11 am to 6 pm.", "time 660", "time 1080"],
  ["Dinsdag tot en met zaterdag van 9.00 tot 17.30 uur.", "time 540", "time 1050"],
  ["Nous sommes ouverts de 6 h 30 à 19 h 30, le dimanche à 13 h.", "time 390", "time 1170", "time 780"],
  ["Mo–Fr 7:30 bis 17:30 Uhr, Samstag bis 12 Uhr.", "time 450", "time 1050", "time 720"],
  ["At 12 am, and at 12 pm.", "time 0", "time 720"],
  ["Ein Stadtrad kostet 12,50 € am Tag, € 1.200 im Jahr.", "money 12.5", "money 1200"],
  ["Under 16s pay £9, the others $12.40.", "money 9", "money 12.4"],
  ["10 % off, 15 Prozent for groups.", "percent 10", "percent 15"],
  ["Ready within three working days, or 48 hours.", "hour 48"],
  ["Fertig in drei Werktagen, in zwei Wochen, in 20 Minuten.", "day 3", "week 2", "minute 20"],
  ["Up to 10 km for 6 people.", "person 6"],
  ["Prices from 149 €, and we call before anything over 40 €."],
  ["Parking is free after 6 pm."],
  ["Call 020 915 0142, version 2.10, row C3."],
])("of %j", (text, ...quantities) => {
  expect(quantitiesIn(text).map(inShort)).toEqual(quantities);
});
