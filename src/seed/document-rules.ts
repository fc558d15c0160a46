import type { PublicAddresses } from "../config/addresses.ts";
import type { Config } from "../config/config.ts";
import type { BotDocument, BotProblem, BotRule } from "../domain/bot.ts";
import { closestName, didYouMean } from "../domain/closest-name.ts";
import { INTENT_NAME_PATTERN, KNOWLEDGE_INTENT } from "../domain/ids.ts";
import { endsAfterItBegins, isTimeZone, plainOpening } from "../domain/opening-hours.ts";
import { SOCIAL_INTENTS, type TextLanguage } from "../domain/texts.ts";
import { languageOfBot, wordedLanguages } from "../texts/bot-wording.ts";

const problem =
  (severity: BotProblem["severity"]) =>
  (pointer: string, message: string): BotProblem => ({ pointer, message, severity });
const mistake = problem("error");
const warning = problem("warning");

const intentNames = (bot: BotDocument): string[] => (bot.intents ?? []).map((intent) => intent.name);

/** Intent names must be unique: two intents with one name are not merged. */
export const refuseRepeatedIntents: BotRule = (bot) => {
  const names = intentNames(bot);
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [
          mistake(
            `/intents/${index}/name`,
            `the intent \`${name}\` is given twice; merge the two or rename one`,
          ),
        ],
  );
};

const comparable = (example: string): string => example.trim().toLowerCase().replace(/\s+/g, " ");

/** Each example should occur only once: in two intents it counts for both, and cannot tell them apart. */
export const warnOfRepeatedExamples: BotRule = (bot) => {
  const owners = new Map<string, string>();
  return (bot.intents ?? []).flatMap(({ name, examples = [] }, intent) =>
    examples.flatMap((example, index) => {
      const owner = owners.get(comparable(example));
      if (owner === undefined) {
        owners.set(comparable(example), name);
        return [];
      }
      const where = owner === name ? "stands in this intent twice" : `is also an example of \`${owner}\``;
      const hint = owner === name ? "remove one" : "keep it in one of them";
      return [warning(`/intents/${intent}/examples/${index}`, `this example ${where}; ${hint}`)];
    }),
  );
};

/** `defaultIntent` must be an intent of the bot. */
export const refuseUnknownDefaultIntent: BotRule = (bot) => {
  const names = intentNames(bot);
  if (bot.defaultIntent === undefined || names.includes(bot.defaultIntent)) return [];
  return [mistake("/defaultIntent", unknownIntent(bot.defaultIntent, names))];
};

function unknownIntent(name: string, names: string[]): string {
  return `this bot has no intent \`${name}\`${didYouMean(name, names)}`;
}

/** Reserved for answers from documents, from which such an intent could not be distinguished. */
export const refuseReservedIntentName: BotRule = (bot) =>
  intentNames(bot).flatMap((name, index) =>
    name === KNOWLEDGE_INTENT
      ? [
          mistake(
            `/intents/${index}/name`,
            `\`${name}\` is what answers from documents are called; rename the intent`,
          ),
        ]
      : [],
  );

const LOOKS_LIKE_INTENT = new RegExp(INTENT_NAME_PATTERN);

/** An entry of `next` in the form of an intent's name must name one: a misspelt name would be shown to visitors. */
export const refuseUnknownNextIntents: BotRule = (bot) => {
  const names = intentNames(bot);
  return (bot.intents ?? []).flatMap(({ next = [] }, intent) =>
    next.flatMap((step, index) =>
      names.includes(step) || !LOOKS_LIKE_INTENT.test(step)
        ? []
        : [
            mistake(
              `/intents/${intent}/next/${index}`,
              `${unknownIntent(step, names)} (a message for visitors begins with a capital letter, or has several words)`,
            ),
          ],
    ),
  );
};

/** Tests may only expect intents that the bot has, and the built-in ones. */
export const refuseUnknownIntentsInTests: BotRule = (bot) => {
  const names = [...intentNames(bot), ...SOCIAL_INTENTS, KNOWLEDGE_INTENT];
  const fault = (pointer: string, intent: string | null | undefined) =>
    intent === undefined || intent === null || names.includes(intent)
      ? []
      : [mistake(`${pointer}/intent`, unknownIntent(intent, names))];
  return (bot.tests ?? []).flatMap((test, index) =>
    "dialogue" in test
      ? test.dialogue.flatMap((step, at) => fault(`/tests/${index}/dialogue/${at}`, step.intent))
      : fault(`/tests/${index}`, test.intent),
  );
};

/** Question ids tell questions apart in the widget. */
export const refuseRepeatedQuestionIds: BotRule = (bot) => {
  const ids = (bot.suggestedQuestions ?? []).map((question) => question.id);
  return ids.flatMap((id, index) =>
    id === undefined || ids.indexOf(id) === index
      ? []
      : [
          mistake(
            `/suggestedQuestions/${index}/id`,
            `the id \`${id}\` is given twice; each question needs its own`,
          ),
        ],
  );
};

/** A template's bundle is fetched over HTTP, or from below `cdnUrl` when its address is relative. */
export const refuseUnusableBundleUrl: BotRule = ({ template }) => {
  if (template === undefined || isUsableBundleUrl(template.bundleUrl)) return [];
  const right = "must be an http(s) URL, or a path relative to cdnUrl such as `templates/kiosk.js`";
  return [
    mistake("/template/bundleUrl", `\`bundleUrl\` ${right}, not ${JSON.stringify(template.bundleUrl)}`),
  ];
};

function isUsableBundleUrl(address: string): boolean {
  if (/[\s\\]/.test(address)) return false;
  if (/^https?:\/\//i.test(address)) return URL.canParse(address);
  // `https:x.js` is relative to an https address, but names another host relative to an http address.
  return ["http", "https"].every((scheme) => {
    const base = `${scheme}://cdn.invalid/cdn/`;
    return URL.parse(address, base)?.href.startsWith(base) ?? false;
  });
}

/** Allowed origins of template bundles, from the server's settings. */
export type BundleSources = Pick<PublicAddresses, "cdnUrl"> & Pick<Config, "templateOrigins">;

/** Whether a bot's template runs a script from elsewhere on customers' pages. Pure. */
export function hasForeignBundle(
  { template }: Pick<BotDocument, "template">,
  { cdnUrl, templateOrigins }: BundleSources,
): boolean {
  const url = template && URL.parse(template.bundleUrl, `${cdnUrl}/`);
  return url ? ![new URL(cdnUrl).origin, ...templateOrigins].includes(url.origin) : false;
}

/** The error for such an address. */
export const FOREIGN_BUNDLE =
  "`bundleUrl` must be relative, or of the origin of --cdn-url: it runs as a script on every page with the widget. Whoever sets up the server allows another origin with --template-origins";

/** Editors of bots must not decide whose scripts run on customers' pages. @param published the published address, which stays allowed */
export function refuseForeignBundle(sources: BundleSources, published: string | undefined): BotRule {
  return (bot) =>
    bot.template?.bundleUrl !== published && hasForeignBundle(bot, sources)
      ? [mistake("/template/bundleUrl", FOREIGN_BUNDLE)]
      : [];
}

/** Texts of a language that may contain the bot's name. */
const SHOWN = ["welcomeMessage", "tagline", "legal"] as const;

/** Visitors would see `{botname}` and the like unchanged. */
export const warnOfUnknownVariables: BotRule = (bot) => {
  const texts: [string, string][] = [
    ["/welcomeMessage", bot.welcomeMessage ?? ""],
    ...wordedLanguages(bot).flatMap((tag) =>
      SHOWN.map((key): [string, string] => [
        `/texts/${tag}/${key}`,
        bot.texts![tag as TextLanguage]![key] ?? "",
      ]),
    ),
    ...(bot.intents ?? []).flatMap(({ responses = [] }, intent) =>
      responses.map((text, index): [string, string] => [`/intents/${intent}/responses/${index}`, text]),
    ),
  ];
  return texts.flatMap(([pointer, text]) =>
    misspeltVariables(text).map((message) => warning(pointer, message)),
  );
};

function misspeltVariables(text: string): string[] {
  const names = [...text.matchAll(/\{\{?\s*([A-Za-z_-]+)\s*\}?\}/g)];
  return names
    .filter(
      ([whole, name]) =>
        whole !== "{botName}" && closestName((name ?? "").toLowerCase(), ["botname", "bot_name"]),
    )
    .map(([whole]) => `\`${whole}\` is shown as it stands; did you mean \`{botName}\`?`);
}

/** Invalid hours would hide the form for a person from visitors, or never be open. */
const refuseUnusableHours: BotRule = (bot) => {
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

function noDays(opening: string, language: string): string {
  const inLanguage = new Intl.DisplayNames("en", { type: "language" }).of(language);
  return `${JSON.stringify(opening)} names no days; they are Mo, Tu, We, Th, Fr, Sa and Su, or named in ${inLanguage}, as far as that is one day`;
}

function noTimeZone(name: string): string {
  const meant = closestTimeZone(name);
  const hint = meant === undefined ? "" : `; did you mean \`${meant}\`?`;
  return `${JSON.stringify(name)} is not a time zone; write one such as \`Europe/Berlin\`${hint}`;
}

/** The time zone of a city, or of a name with a small mistake. */
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

/** The rules that need only the document itself. */
export const DOCUMENT_RULES: readonly BotRule[] = [
  refuseRepeatedIntents,
  refuseReservedIntentName,
  refuseUnknownDefaultIntent,
  refuseUnknownNextIntents,
  refuseUnknownIntentsInTests,
  refuseRepeatedQuestionIds,
  refuseUnusableBundleUrl,
  refuseUnusableHours,
  warnOfRepeatedExamples,
  warnOfUnknownVariables,
];
