import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { EmbedConfig } from "../../src/domain/embed.ts";
import { shopBot } from "../support/bots.ts";
import { type TestParley, startParley } from "../support/parley.ts";

let parley: TestParley;

beforeAll(async () => {
  parley = await startParley({
    bots: [
      shopBot({ id: "plain", name: "Plain" }),
      shopBot({ id: "off", enabled: false }),
      shopBot({
        id: "full",
        name: "$& <Full> {botName}",
        welcomeMessage: "{botName} greets. I am {botName}!",
        theme: { primaryColor: "#123abc", backgroundColor: "#ffffff" },
        suggestedQuestions: [
          { id: "b", text: "Second?", order: 2 },
          { id: "a", text: "First?", order: 1 },
        ],
        suggestedQuestionsStyle: "message_box",
        template: { id: "kiosk", bundleUrl: "templates/kiosk.js", options: { idleResetSeconds: 60 } },
        poweredByRequired: false,
        avatarUrl: "https://acme.example/avatar.png",
        tagline: "{botName} at once",
        legal: "Automated. [Privacy](https://acme.example/privacy)",
        launcher: { label: "Ask us", icon: "avatar" },
      }),
      shopBot({
        id: "languages",
        name: "Shop",
        language: "en",
        welcomeMessage: "Hello from {botName}",
        tagline: "At once",
        launcher: { label: "Ask", icon: "chat" },
        suggestedQuestions: [{ id: "hours", text: "Opening hours?" }, { text: "Returns?" }],
        texts: {
          en: { legal: "Automated." },
          de: {
            welcomeMessage: "Hallo von {botName}",
            tagline: "Sofort",
            "launcher.label": "Fragen",
            suggestedQuestions: { hours: "Öffnungszeiten?", q2: "Rückgabe?" },
          },
          "de-AT": { welcomeMessage: "Servus von {botName}", suggestedQuestions: { hours: "Wann offen?" } },
          ar: { welcomeMessage: "مرحبا" },
        },
      }),
    ],
    flags: { publicUrl: "https://chat.example/api/", cdnUrl: "https://cdn.example/parley" },
  });
});
afterAll(() => parley[Symbol.asyncDispose]());

const local = () => parley.server.localUrl;
const get = (query: string, headers: Record<string, string> = {}) =>
  fetch(`${local()}/embed-config${query}`, { headers });

describe("GET /embed-config", () => {
  test("gives a bot that says nothing the defaults", async () => {
    const response = await get("?botId=plain");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      botName: "Plain",
      welcomeMessage: expect.stringContaining("Plain"),
      runtimeEndpoint: "https://chat.example/api",
      cdnUrl: "https://cdn.example/parley",
      poweredByRequired: true,
      suggestedQuestions: [],
      suggestedQuestionsStyle: "pills",
    });
  });

  test("gives everything a bot says, questions in order, its name inserted literally", async () => {
    const response = await get("?botId=full");
    expect(await response.json()).toEqual({
      botName: "$& <Full> {botName}",
      welcomeMessage: "$& <Full> {botName} greets. I am $& <Full> {botName}!",
      runtimeEndpoint: "https://chat.example/api",
      cdnUrl: "https://cdn.example/parley",
      poweredByRequired: false,
      theme: { primaryColor: "#123abc", backgroundColor: "#ffffff" },
      suggestedQuestions: [
        { id: "a", text: "First?", order: 1 },
        { id: "b", text: "Second?", order: 2 },
      ],
      suggestedQuestionsStyle: "message_box",
      template: {
        id: "kiosk",
        bundleUrl: "https://cdn.example/parley/templates/kiosk.js",
        options: { idleResetSeconds: 60 },
      },
      avatarUrl: "https://acme.example/avatar.png",
      tagline: "$& <Full> {botName} at once",
      legal: "Automated. [Privacy](https://acme.example/privacy)",
      launcher: { label: "Ask us", icon: "avatar" },
    });
  });

  test("needs no token, and never looks at the Host header", async () => {
    const response = await get("?botId=plain", { Host: "evil.test" });
    expect(await response.text()).not.toContain("evil.test");
  });

  test("is cached for a minute, and revalidated by its ETag", async () => {
    const first = await get("?botId=plain");
    expect(first.headers.get("cache-control")).toBe("public, max-age=60");
    const etag = first.headers.get("etag")!;
    const second = await get("?botId=plain", { "If-None-Match": `"other", W/${etag}` });
    expect(second.status).toBe(304);
    expect(second.headers.get("etag")).toBe(etag);
    expect(await second.text()).toBe("");
    expect((await get("?botId=plain", { "If-None-Match": '"other"' })).status).toBe(200);
  });

  test.each([
    ["", 400, "INVALID_REQUEST"],
    ["?botId=", 400, "INVALID_REQUEST"],
    ["?botid=plain", 400, "INVALID_REQUEST"],
    ["?botId=nobody", 404, "NOT_FOUND"],
    ["?botId=off", 404, "NOT_FOUND"],
    ["?botId=__proto__", 404, "NOT_FOUND"],
    ["?botId=%00", 404, "NOT_FOUND"],
    ["?botId=%ff%fe", 404, "NOT_FOUND"],
  ])("%p is %d %s", async (query, status, code) => {
    const response = await get(query);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  const shown = async (query: string) => {
    const response = await get(query);
    expect(response.status).toBe(200);
    const { welcomeMessage, tagline, legal, launcher, suggestedQuestions } =
      (await response.json()) as EmbedConfig;
    return [
      welcomeMessage,
      tagline,
      legal,
      launcher?.label,
      ...suggestedQuestions.map(({ text }) => text),
    ].join(" | ");
  };
  const ENGLISH = "Hello from Shop | At once | Automated. | Ask | Opening hours? | Returns?";
  const GERMAN = "Hallo von Shop | Sofort | Automated. | Fragen | Öffnungszeiten? | Rückgabe?";
  const AUSTRIAN = "Servus von Shop | Sofort | Automated. | Fragen | Wann offen? | Rückgabe?";
  const LONG = `de-${"x".repeat(5000)}`;

  test.each([
    ["", ENGLISH],
    ["&locale=", ENGLISH],
    ["&locale=en-GB", ENGLISH],
    ["&locale=sv", ENGLISH],
    ["&locale=de", GERMAN],
    ["&locale=DE-ch", GERMAN],
    ["&locale=de-AT", AUSTRIAN],
    ["&locale=de_at", AUSTRIAN],
    ["&locale=de-AT-1996&x=1", AUSTRIAN],
    ["&locale=ar-EG", ENGLISH.replace("Hello from Shop", "مرحبا")],
    // What is no language is none that the bot is worded in.
    ["&locale=%00", ENGLISH],
    ["&locale=__proto__", ENGLISH],
    ["&locale=%ff", ENGLISH],
    [`&locale=${LONG}`, ENGLISH],
    ["&locale=de&locale=ar", GERMAN],
  ])("with %p it is in the language that fits best", async (query, expected) => {
    expect(await shown(`?botId=languages${query}`)).toBe(expected);
  });

  test("finds the language wherever it stands in the query", async () => {
    expect(await shown("?locale=de&botId=languages")).toBe(GERMAN);
  });

  test("revalidates each language by an ETag of its own", async () => {
    const etagOf = async (query: string) => (await get(`?botId=languages${query}`)).headers.get("etag")!;
    const [english, german] = [await etagOf(""), await etagOf("&locale=de")];
    expect(german).not.toBe(english);
    expect(await etagOf("&locale=sv")).toBe(english);
    const again = (query: string, etag: string) =>
      get(`?botId=languages${query}`, { "If-None-Match": etag, Origin: "https://shop.example" });
    expect((await again("&locale=de", english)).status).toBe(200);
    const same = await again("&locale=de", german);
    expect(same.status).toBe(304);
    expect(same.headers.get("access-control-allow-origin")).toBe("*");
    expect(same.headers.get("cache-control")).toBe("public, max-age=60");
  });

  test("answers HEAD without a body", async () => {
    const response = await fetch(`${local()}/embed-config?botId=plain`, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });
});
