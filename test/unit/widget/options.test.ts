import { beforeAll, expect, test } from "bun:test";

beforeAll(() => {
  // What the build fills in.
  Object.assign(globalThis, { LANGUAGES: "en de ar zh zh-hant", PANEL_HASH: "0" });
});

const { readOptions } = await import("../../../src/widget/loader/options.ts");

const script = (dataset: Record<string, string>, src = "https://chat.example/cdn/widget.js") => ({
  src,
  dataset,
});

test("a script tag with bot and token says all there is to say", () => {
  expect(readOptions(script({ botId: "acme", token: "parley_et_x" }), "en-GB", "")).toEqual({
    botId: "acme",
    embedToken: "parley_et_x",
    endpoint: "https://chat.example",
    assetsUrl: "https://chat.example/cdn/",
    open: false,
    position: undefined,
    zIndex: 2_000_000_000,
    locale: "en-GB",
    language: "en",
    direction: "ltr",
    container: undefined,
    persist: "local",
    strings: undefined,
  });
});

test("parts are found beside the script, wherever it stands", () => {
  const options = readOptions(
    script({ endpoint: "https://api.example/parley/" }, "https://cdn.example/p/1/widget.js?v=2"),
    "en",
    "",
  );
  expect(options.assetsUrl).toBe("https://cdn.example/p/1/");
  expect(options.endpoint).toBe("https://api.example/parley");
});

test.each([
  ["de-AT", "", undefined, "de", "ltr"],
  ["sv", "", undefined, "en", "ltr"],
  ["en", "rtl", undefined, "en", "rtl"],
  ["en", "rtl", "de", "de", "ltr"],
  ["en", "", "ar-EG", "ar", "rtl"],
  ["he", "", undefined, "en", "rtl"],
  ["zh-CN", "", undefined, "zh", "ltr"],
  ["zh-Hans-HK", "", undefined, "zh", "ltr"],
  ["zh-Hant", "", undefined, "zh-hant", "ltr"],
  ["zh_TW", "", undefined, "zh-hant", "ltr"],
  ["zh-HK", "", undefined, "zh-hant", "ltr"],
  ["en", "", "zh-mo", "zh-hant", "ltr"],
] as const)(
  "page %s %p, data-locale %p: speaks %s, reads %s",
  (page, direction, locale, language, expected) => {
    const options = readOptions(script(locale ? { locale } : {}), page, direction);
    expect([options.language, options.direction]).toEqual([language, expected]);
  },
);

test.each([
  [{ open: "" }, "open", true],
  [{ open: "true" }, "open", true],
  [{ open: "false" }, "open", false],
  [{ position: "start" }, "position", "start"],
  [{ position: "top" }, "position", undefined],
  [{ zIndex: "12" }, "zIndex", 12],
  [{ zIndex: "high" }, "zIndex", 2_000_000_000],
  [{ persist: "session" }, "persist", "session"],
  [{ persist: "for ever" }, "persist", "local"],
] as const)("%p makes %s %p", (dataset, name, value) => {
  expect(readOptions(script(dataset), "en", "")).toMatchObject({ [name]: value });
});
