import type { WidgetTheme } from "../../domain/embed.ts";
import { BLACK, firstOn, luminance, MINIMUM_CONTRAST, parseHex, type Rgb, WHITE } from "./colour.ts";

export type Scheme = "light" | "dark";

/** Default colours by scheme: text, background and primary. */
const DEFAULTS: Record<Scheme, readonly [ink: string, background: string, primary: string]> = {
  light: ["#181a20", "#ffffff", "#20242e"],
  dark: ["#f1f2f5", "#181a1f", "#e8eaf0"],
};

/** Minimum contrast of graphics (WCAG 2.2, 1.4.11). */
const MINIMUM_CONTRAST_OF_ICONS = 3;

/** Colours of text and icons in order of preference. Black is for the few backgrounds on which white and dark ink are unreadable. */
export const INKS: readonly Rgb[] = [WHITE, parseHex(DEFAULTS.light[0]), BLACK];

export const schemeOf = (background: Rgb): Scheme => (luminance(background) > 0.18 ? "light" : "dark");

/**
 * The operator's background colour applies to the scheme that it suits (light or dark), or to the only scheme of the theme.
 * The other scheme keeps its default.
 */
function backgroundOf({ backgroundColor, colorScheme }: WidgetTheme, scheme: Scheme): Rgb {
  const wanted = parseHex(backgroundColor ?? DEFAULTS[scheme][1]);
  return colorScheme === scheme || schemeOf(wanted) === scheme ? wanted : parseHex(DEFAULTS[scheme][1]);
}

/** Custom properties for one scheme. */
export type Tokens = Readonly<Record<string, Rgb>>;

/** Colours of the launcher and the empty panel. Icons are white if they show on the primary colour; text is `ink`. */
export function frameTokens(theme: WidgetTheme, scheme: Scheme) {
  const bg = backgroundOf(theme, scheme);
  const primary = parseHex(theme.primaryColor ?? DEFAULTS[scheme][2]);
  return {
    bg,
    primary,
    ink: firstOn(bg, MINIMUM_CONTRAST, parseHex(DEFAULTS[schemeOf(bg)][0]), ...INKS),
    icon: firstOn(primary, MINIMUM_CONTRAST_OF_ICONS, ...INKS),
  };
}

/** Style sheet with custom properties for both schemes, or for the only one of the theme. */
export function schemeCss(
  theme: WidgetTheme,
  tokensOf: (theme: WidgetTheme, scheme: Scheme) => Tokens,
): string {
  const rule = (scheme: Scheme) => {
    let declarations = `color-scheme:${scheme};`;
    for (const [name, colour] of Object.entries(tokensOf(theme, scheme)))
      declarations += `--${name}:rgb(${String(colour)});`;
    return hostRule(declarations);
  };
  const { colorScheme = "auto" } = theme;
  return colorScheme === "auto"
    ? `${rule("light")}@media (prefers-color-scheme:dark){${rule("dark")}}`
    : rule(colorScheme);
}

/** A rule for the host element that the page's styles cannot override; every declaration ends with a semicolon. */
export const hostRule = (declarations: string): string =>
  `:host{${declarations.replaceAll(";", "!important;")}}`;

/** Lengths of the launcher and the frame, as declarations. */
export const lengthsOf = ({ cornerRadius = 16, offsetX = 20, offsetY = 20 }: WidgetTheme): string =>
  `--radius:${cornerRadius}px;--x:${offsetX}px;--y:${offsetY}px;`;

/** The theme's style sheet for the launcher and the frame. */
export const frameCss = (theme: WidgetTheme): string =>
  schemeCss(theme, frameTokens) + hostRule(lengthsOf(theme));
