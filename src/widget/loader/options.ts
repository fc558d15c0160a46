import { LAUNCHER_STRINGS } from "./launcher-strings.ts";

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
  language: string;
  direction: "ltr" | "rtl";
  /** Selector of the element that holds the panel inline. */
  container: string | undefined;
  persist: "local" | "session" | "none";
  /** Wording that replaces the widget's own. */
  strings: Readonly<Record<string, string>>;
}

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/;
const DEFAULT_Z_INDEX = 2_147_483_000;

function parseStrings(json: string | undefined): Record<string, string> {
  try {
    return JSON.parse(json ?? "{}") as Record<string, string>;
  } catch (error) {
    // oxlint-disable-next-line no-console -- the one place to tell the page's developer
    console.error("[parley] data-strings is not JSON:", error);
    return {};
  }
}

/** Reads the script tag; `pageLanguage` and `pageDirection` count where it says nothing. */
export function readOptions(
  script: { src: string; dataset: DOMStringMap },
  pageLanguage: string,
  pageDirection: string,
): WidgetOptions {
  const data = script.dataset;
  const locale = (data["locale"] ?? pageLanguage).toLowerCase();
  const language = locale.split(/[-_]/)[0]!;
  const rtl = RIGHT_TO_LEFT.test(locale) || (!data["locale"] && pageDirection === "rtl");
  return {
    botId: data["botId"] ?? "",
    embedToken: data["token"] ?? "",
    endpoint: (data["endpoint"] ?? new URL("..", script.src).href).replace(/\/$/, ""),
    assetsUrl: new URL(".", script.src).href,
    open: data["open"] === "" || data["open"] === "true",
    position: data["position"] === "start" || data["position"] === "end" ? data["position"] : undefined,
    zIndex: Number.parseInt(data["zIndex"] ?? "") || DEFAULT_Z_INDEX,
    language: language in LAUNCHER_STRINGS ? language : "en",
    direction: rtl ? "rtl" : "ltr",
    container: data["container"],
    persist: data["persist"] === "none" || data["persist"] === "session" ? data["persist"] : "local",
    strings: parseStrings(data["strings"]),
  };
}
