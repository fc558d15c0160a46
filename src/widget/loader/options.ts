import { spoken } from "./languages.ts";

/** Settings of the embedding page: `data-` attributes of the script tag. */
export interface WidgetOptions {
  botId: string;
  embedToken: string;
  /** Base URL of `/embed-config`, without a slash at the end. */
  endpoint: string;
  /** Base URL of the script's chunks, with a slash at the end. */
  assetsUrl: string;
  open: boolean;
  position: "start" | "end" | undefined;
  zIndex: number;
  /** Language tag named by the page. */
  locale: string;
  /** The widget's language. */
  language: string;
  direction: "ltr" | "rtl";
  /** Selector of the element that contains the inline panel. */
  container: string | undefined;
  persist: "local" | "session" | "none";
  /** Texts that replace the widget's own, as a JSON object. */
  strings: string | undefined;
}

/** Tags whose likely script is traditional Chinese (CLDR, likely subtags). */
const TRADITIONAL_CHINESE = /^zh.(hant|tw|hk|mo)/i;
const RIGHT_TO_LEFT = /^(ar|fa|he|ur)$/;
/** Above other elements; pages may use up to 2³¹ − 1. */
export const DEFAULT_Z_INDEX = 2e9;

function oneOf<T extends string>(value: string | undefined, ...allowed: readonly T[]): T | undefined {
  return allowed.find((name) => name === value);
}

/** Reads the script tag; `pageLanguage` and `pageDirection` are the defaults. */
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
