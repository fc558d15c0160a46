import type { WidgetTheme } from "../../domain/embed.ts";
import { contrast, luminance, MINIMUM_CONTRAST, mix, parseHex, type Rgb, readable, WHITE } from "./colour.ts";

export type Scheme = "light" | "dark";

/** Default colours by scheme: text, background and primary. */
const DEFAULTS: Record<Scheme, readonly [ink: string, background: string, primary: string]> = {
  light: ["#181a20", "#ffffff", "#20242e"],
  dark: ["#f1f2f5", "#181a1f", "#e8eaf0"],
};

const schemeOf = (background: Rgb): Scheme => (luminance(background) > 0.18 ? "light" : "dark");

/**
 * The operator's background colour is used in the scheme that it suits (light or dark), or in the one that the theme is fixed to.
 * Another scheme keeps its default.
 */
function backgroundOf({ backgroundColor, colorScheme }: WidgetTheme, scheme: Scheme): Rgb {
  const wanted = parseHex(backgroundColor ?? DEFAULTS[scheme][1]);
  return colorScheme === scheme || schemeOf(wanted) === scheme ? wanted : parseHex(DEFAULTS[scheme][1]);
}

/** `share` of a colour laid on the background, or as much of it as leaves `ink` readable. */
function tint(colour: Rgb, background: Rgb, share: number, ink: Rgb): Rgb {
  const tinted = mix(colour, background, share);
  return contrast(ink, tinted) < MINIMUM_CONTRAST ? tint(colour, background, share / 2, ink) : tinted;
}

/**
 * The widget's custom properties for one scheme. Every text colour (`ink`, `muted`, `accent`, `on-primary`) has a contrast
 * of at least 4.5 on each background it is used on, whatever the theme says.
 */
export function themeTokens(theme: WidgetTheme, scheme: Scheme): Record<string, Rgb> {
  const bg = backgroundOf(theme, scheme);
  const primary = parseHex(theme.primaryColor ?? DEFAULTS[scheme][2]);
  const wanted = parseHex(DEFAULTS[schemeOf(bg)][0]);
  const ink = readable(wanted, bg);
  const surface = tint(ink, bg, 0.05, ink);
  const bubble = tint(primary, bg, schemeOf(bg) === "dark" ? 0.28 : 0.12, ink);
  return {
    bg,
    surface,
    bubble,
    primary,
    ink,
    muted: readable(mix(bg, ink, 0.38), bg, surface),
    line: mix(ink, bg, 0.14),
    accent: readable(primary, bg, surface),
    "on-primary": readable(WHITE, primary),
  };
}

function rule(theme: WidgetTheme, scheme: Scheme): string {
  const tokens = themeTokens(theme, scheme);
  const declarations = Object.keys(tokens).map((name) => `--${name}:rgb(${String(tokens[name])})!important`);
  return `:host{color-scheme:${scheme}!important;${declarations.join(";")}}`;
}

/** A style sheet with the theme's custom properties, for the visitor's scheme or the theme's own. */
export function themeCss(theme: WidgetTheme): string {
  const { colorScheme = "auto", cornerRadius = 16 } = theme;
  const colours =
    colorScheme === "auto"
      ? `${rule(theme, "light")}@media (prefers-color-scheme:dark){${rule(theme, "dark")}}`
      : rule(theme, colorScheme);
  return `${colours}:host{--radius:${cornerRadius}px!important}`;
}
