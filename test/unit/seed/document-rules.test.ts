import { describe, expect, test } from "bun:test";

import type { BotProblem } from "../../../src/domain/bot.ts";
import { warnOfUnknownNames } from "../../../src/seed/configured-names.ts";
import { DOCUMENT_RULES, refuseForeignBundle } from "../../../src/seed/document-rules.ts";
import { type WrittenFields, botWith } from "../../support/bots.ts";

const said = (problems: readonly BotProblem[]) =>
  problems.map((problem) => `${problem.severity} ${problem.pointer} ${problem.message}`);

const problemsOf = (fields: WrittenFields) => said(DOCUMENT_RULES.flatMap((rule) => rule(botWith(fields))));

const orders = { name: "orders.status", examples: ["where is my order", "track it"] };

test.each([
  ["crm", []],
  [
    "crmm",
    [
      "warning /handoff/webhook the configuration has no webhook `crmm`, so that it notifies nobody of hand-offs; did you mean `crm`?",
    ],
  ],
])("of a webhook %s, where crm is configured", (webhook, problems) => {
  expect(said(warnOfUnknownNames({ webhooks: ["crm"] })(botWith({ handoff: { webhook } })))).toEqual(
    problems,
  );
});

describe("rules of a bot file", () => {
  test("find nothing in a sound bot", () => {
    const bot: WrittenFields = {
      intents: [orders, { name: "greeting", responses: ["I'm {botName}. {brackets} are fine."] }],
      defaultIntent: "greeting",
      tests: [
        { utterance: "hi", intent: "greeting" },
        { utterance: "?", intent: null },
      ],
      suggestedQuestions: [{ text: "a" }, { text: "b" }, { id: "c", text: "c" }],
      template: { id: "kiosk", bundleUrl: "templates/kiosk.js" },
    };
    expect(problemsOf(bot)).toEqual([]);
  });

  test.each(["Europe/Berlin", "europe/berlin", "Asia/Calcutta", "UTC", "Etc/GMT+2"])(
    "take hours in the time zone %s",
    (timezone) => {
      expect(
        problemsOf({ handoff: { hours: { timezone, open: ["Mo-Fr 09:00-24:00", "Sa-Mo 00:00-00:01"] } } }),
      ).toEqual([]);
    },
  );

  test.each([
    ["Berlin", "; did you mean `Europe/Berlin`?"],
    ["Europe/Belrin", "; did you mean `Europe/Berlin`?"],
    ["new york", "; did you mean `America/New_York`?"],
    ["+02:00", ""],
    ["xx", ""],
  ])("refuse hours in the time zone %s, which is none", (timezone, hint) => {
    expect(problemsOf({ handoff: { hours: { timezone, open: ["Mo 09:00-17:00"] } } })).toEqual([
      `error /handoff/hours/timezone "${timezone}" is not a time zone; write one such as \`Europe/Berlin\`${hint}`,
    ]);
  });

  test.each([
    ["de", ["Mo-Do 09:00-17:00", "Freitag 09:00-12:00", "samstag-So 10:00-11:00"]],
    ["fr", ["Lun-Ven 09:00-17:00", "sam. 10:00-12:00"]],
    ["es", ["mié-vie 09:00-17:00", "Sabado 10:00-12:00"]],
    ["ja", ["月-金曜日 09:00-17:00"]],
    ["tr", ["Pzt-Cum 09:00-17:00", "Paz 10:00-12:00"]],
  ])("take days named in %s", (language, open) => {
    expect(problemsOf({ language, handoff: { hours: { timezone: "Europe/Berlin", open } } })).toEqual([]);
  });

  test.each([
    ["de", "Lun-Ven 09:00-17:00", "German"],
    ["de", "D 09:00-17:00", "German"],
    ["en", "Heute 09:00-17:00", "English"],
  ])("refuse what is no day in %s: %s", (language, opening, name) => {
    const hours = { timezone: "Europe/Berlin", open: [opening] };
    expect(problemsOf({ language, handoff: { hours } })).toEqual([
      `error /handoff/hours/open/0 "${opening}" names no days; they are Mo, Tu, We, Th, Fr, Sa and Su, or named in ${name}, as far as that is one day`,
    ]);
  });

  test.each([
    [
      "Mo-Fr 17:00-09:00",
      "for hours over midnight write two lines, as `Mo-Fr 17:00-24:00` and, with the days that follow, `00:00-09:00`",
    ],
    ["Sa 12:00-00:00", "the end of a day is `24:00`, as in `Sa 12:00-24:00`"],
  ])("refuse the opening %s, which ends before it begins", (opening, hint) => {
    const hours = { timezone: "Europe/Berlin", open: ["Mo 09:00-17:00", opening] };
    expect(problemsOf({ handoff: { hours } })).toEqual([
      `error /handoff/hours/open/1 "${opening}" ends before it begins; ${hint}`,
    ]);
  });

  test.each<[string, WrittenFields, string]>([
    [
      "an intent given twice",
      { intents: [orders, { name: orders.name }] },
      "error /intents/1/name the intent `orders.status` is given twice; merge the two or rename one",
    ],
    [
      "an example twice in one intent",
      { intents: [{ name: "a", examples: ["Hi there", " hi  THERE"] }] },
      "warning /intents/0/examples/1 this example stands in this intent twice; remove one",
    ],
    [
      "an example of two intents",
      { intents: [orders, { name: "b", examples: ["Track it"] }] },
      "warning /intents/1/examples/0 this example is also an example of `orders.status`; keep it in one of them",
    ],
    [
      "a default intent that is none",
      { intents: [orders], defaultIntent: "order.status" },
      "error /defaultIntent this bot has no intent `order.status`; did you mean `orders.status`?",
    ],
    [
      "a next step that is a misspelt intent",
      { intents: [{ ...orders, next: ["order.status", "Do you ship?", "what else"] }] },
      "error /intents/0/next/0 this bot has no intent `order.status`; did you mean `orders.status`? (a message for visitors begins with a capital letter, or has several words)",
    ],
    [
      "a test of an unknown intent",
      { intents: [orders], tests: [{ utterance: "x", intent: "zzz" }] },
      "error /tests/0/intent this bot has no intent `zzz`",
    ],
    [
      "a test of a social intent that there is not",
      { intents: [orders], tests: [{ utterance: "x", intent: "social.thank" }] },
      "error /tests/0/intent this bot has no intent `social.thank`; did you mean `social.thanks`?",
    ],
    [
      "a dialogue of an unknown intent",
      {
        intents: [orders],
        tests: [{ dialogue: [{ utterance: "x" }, { utterance: "x", intent: "orders.statu" }] }],
      },
      "error /tests/0/dialogue/1/intent this bot has no intent `orders.statu`; did you mean `orders.status`?",
    ],
    [
      "a question id given twice",
      {
        suggestedQuestions: [
          { id: "q", text: "a" },
          { id: "q", text: "b" },
        ],
      },
      "error /suggestedQuestions/1/id the id `q` is given twice; each question needs its own",
    ],
    [
      "a misspelt variable",
      { welcomeMessage: "I'm {{botName}}" },
      "warning /welcomeMessage `{{botName}}` is shown as it stands; did you mean `{botName}`?",
    ],
    [
      "a misspelt variable in an answer",
      { intents: [{ name: "a", responses: ["x", "I am {bot_name}"] }] },
      "warning /intents/0/responses/1 `{bot_name}` is shown as it stands; did you mean `{botName}`?",
    ],
  ])("report %s", (_, fields, problem) => {
    expect(problemsOf(fields)).toEqual([problem]);
  });

  test.each([
    "https://cdn.example/k.js",
    "HTTP://cdn.example/k.js",
    "kiosk.js",
    "./templates/kiosk.js?v=1",
    "templates/../kiosk.js",
  ])("accept the bundle address %p", (bundleUrl) => {
    expect(problemsOf({ template: { id: "k", bundleUrl } })).toEqual([]);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/javascript,1",
    "//evil.example/k.js",
    "../k.js",
    "/k.js",
    "https://",
    "a b.js",
    "\\\\evil\\k.js",
    "ftp://x/k.js",
    "blob:https://x/1",
    "https:evil.example/k.js",
    "http:evil.example/k.js",
  ])("refuse the bundle address %p", (bundleUrl) => {
    expect(problemsOf({ template: { id: "k", bundleUrl } })[0]).toStartWith(
      "error /template/bundleUrl `bundleUrl` must be",
    );
  });
});

describe("the bundle of a template, which runs as a script on customers' pages", () => {
  const sources = { cdnUrl: "https://chat.example/cdn", templateOrigins: ["https://assets.example:8443"] };
  const foundIn = (bundleUrl: string, published?: string) =>
    refuseForeignBundle(sources, published)(botWith({ template: { id: "t", bundleUrl } }));

  test.each([
    "templates/kiosk.js",
    "https://chat.example/cdn/x.js",
    "https://CHAT.example:443/elsewhere/x.js",
    "https://assets.example:8443/x.js",
  ])("may be %s", (bundleUrl) => {
    expect(foundIn(bundleUrl)).toEqual([]);
  });

  test.each([
    "https://evil.example/x.js",
    "http://chat.example/cdn/x.js",
    "https://chat.example:8443/x.js",
    "https://chat.example.evil.example/x.js",
    "https://chat.example@evil.example/x.js",
    "https://assets.example/x.js",
    "//evil.example/x.js",
    "\\\\evil.example/x.js",
    "http:evil.example/x.js",
  ])("may not be %s, unless that is published already", (bundleUrl) => {
    expect(foundIn(bundleUrl)).toMatchObject([{ pointer: "/template/bundleUrl", severity: "error" }]);
    expect(foundIn(bundleUrl, "https://evil.example/other.js")).toHaveLength(1);
    expect(foundIn(bundleUrl, bundleUrl)).toEqual([]);
  });
});
