import type { BotProblem, BotRule } from "../domain/bot.ts";
import { closestName } from "../domain/closest-name.ts";
import { endsAfterItBegins, isTimeZone, plainOpening } from "../domain/opening-hours.ts";
import { languageOfBot } from "../texts/bot-language.ts";

/** Hours that the widget could not reckon with would take the form for a person from visitors, or never be open. */
export const refuseUnusableHours: BotRule = (bot) => {
  if (bot.handoff?.hours === undefined) return [];
  const { timezone, open } = bot.handoff.hours;
  const language = languageOfBot(bot);
  return [
    ...(isTimeZone(timezone) ? [] : [mistake("/handoff/hours/timezone", noTimeZone(timezone))]),
    ...open.flatMap((opening, at) => {
      const pointer = `/handoff/hours/open/${at}`;
      if (plainOpening(opening, language) === undefined) return [mistake(pointer, noDays(opening, language))];
      return endsAfterItBegins(opening) ? [] : [mistake(pointer, endsTooEarly(opening))];
    }),
  ];
};

const mistake = (pointer: string, message: string): BotProblem => ({ pointer, message, severity: "error" });

function noDays(opening: string, language: string): string {
  const inLanguage = new Intl.DisplayNames("en", { type: "language" }).of(language);
  return `${JSON.stringify(opening)} names no days; they are Mo, Tu, We, Th, Fr, Sa and Su, or named in ${inLanguage}, as far as that is one day`;
}

function noTimeZone(name: string): string {
  const meant = closestTimeZone(name);
  const hint = meant === undefined ? "" : `; did you mean \`${meant}\`?`;
  return `${JSON.stringify(name)} is no time zone; name one as \`Europe/Berlin\`${hint}`;
}

/** The time zone of a city, or of a name that is written nearly right. */
function closestTimeZone(name: string): string | undefined {
  const zones = Intl.supportedValuesOf("timeZone");
  const spelling = (text: string) => text.trim().toLowerCase().replaceAll(" ", "_");
  const byName = new Map(zones.map((zone) => [spelling(zone), zone]));
  const byCity = new Map(zones.map((zone) => [spelling(zone.slice(zone.lastIndexOf("/") + 1)), zone]));
  const closest = closestName(spelling(name), [...byCity.keys(), ...byName.keys()]);
  return closest === undefined ? undefined : (byCity.get(closest) ?? byName.get(closest));
}

function endsTooEarly(opening: string): string {
  const [days, times] = opening.split(" ") as [string, string];
  const [from, to] = times.split("-") as [string, string];
  const twoLines =
    to === "00:00"
      ? `the end of a day is \`24:00\`, as in \`${days} ${from}-24:00\``
      : `for hours over midnight write two lines, as \`${days} ${from}-24:00\` and, with the days that follow, \`00:00-${to}\``;
  return `${JSON.stringify(opening)} ends before it begins; ${twoLines}`;
}
