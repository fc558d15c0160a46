import { spoken } from "./languages.ts";

/** What the embedding page decides, by `data-` attributes of the script tag. */
export interface WidgetOptions {
  botId: string;
  embedToken: string;
  /** Where `/embed-config` is, without a slash at the end. */
  endpoint: string;
  /** Where the script's own parts are, with a slash at the end. */
  assetsUrl: string;
  open: boolean;
  position: "start" | "end" | undefined;
  zIndex: number;
  /** What the page says of its language. */
  locale: string;
  /** One that the widget speaks. */
  language: string;
  direction: "ltr" | "rtl";
  /** Selector of the element that holds the panel inline. */
  container: string | undefined;
  persist: "local" | "session" | "none";
  /** Wording that replaces the widget's own: a JSON object. */
  strings: string | undefined;
}

/** Where Chinese is written so unless a page says which script it means (CLDR, likely subtags). */
const TRADITIONAL_CHINESE = /^zh.(hant|tw|hk|mo)/i;
const RIGHT_TO_LEFT = /^(ar|fa|he|ur)$/;
/** Stands for "above everything". */
export const DEFAULT_Z_INDEX = 2e9;

function oneOf<T extends string>(value: string | undefined, ...allowed: readonly T[]): T | undefined {
  return allowed.find((name) => name === value);
}

/** Reads the script tag; `pageLanguage` and `pageDirection` count where it says nothing. */
export function readOptions(
  script: { src: string; dataset: DOMStringMap },
  pageLanguage: string,
  pageDirection: string,
): WidgetOptions {
  const {
    botId = "",
    token = "",
    endpoint,
    open = "false",
    position,
    zIndex,
    locale: ownLocale,
    persist,
    container,
    strings,
  } = script.dataset;
  const locale = ownLocale || pageLanguage;
  const language = TRADITIONAL_CHINESE.test(locale) ? "zh-hant" : locale.toLowerCase().split(/[-_]/)[0]!;
  const rtl = RIGHT_TO_LEFT.test(language) || (!ownLocale && pageDirection === "rtl");
  return {
    botId,
    embedToken: token,
    endpoint: (endpoint ?? new URL("..", script.src).href).replace(/\/$/, ""),
    assetsUrl: new URL(".", script.src).href,
    open: open !== "false",
    position: oneOf(position, "start", "end"),
    zIndex: Number(zIndex) || DEFAULT_Z_INDEX,
    locale,
    language: spoken(language),
    direction: rtl ? "rtl" : "ltr",
    container,
    persist: oneOf(persist, "none", "session") ?? "local",
    strings,
  };
}
