import type { WidgetTheme } from "../../domain/embed.ts";
import { luminance, mix, parseHex, type Rgb, readable, toHex, WHITE } from "./colour.ts";

export type Scheme = "light" | "dark";

const INK: Rgb = [24, 26, 32];
const PAPER: Rgb = WHITE;
const NIGHT: Rgb = [24, 26, 31];
const MOON: Rgb = [241, 242, 245];
const DANGER: Record<Scheme, Rgb> = { light: [180, 35, 24], dark: [255, 155, 143] };
const NEUTRAL_PRIMARY: Record<Scheme, string> = { light: "#20242e", dark: "#e8eaf0" };

/** A background colour belongs to the scheme it suits; the other scheme keeps its default. */
function backgroundOf(theme: WidgetTheme, scheme: Scheme): Rgb {
  const fallback = scheme === "light" ? PAPER : NIGHT;
  if (theme.backgroundColor === undefined) return fallback;
  const wanted = parseHex(theme.backgroundColor);
  const suits = theme.colorScheme === scheme || (luminance(wanted) > 0.18 ? "light" : "dark") === scheme;
  return suits ? wanted : fallback;
}

/**
 * The widget's custom properties for one scheme. Every text colour has a contrast of at least 4.5 on each background
 * it is used on, whatever the theme says.
 */
export function themeTokens(theme: WidgetTheme, scheme: Scheme): Record<string, string> {
  const background = backgroundOf(theme, scheme);
  const primary = parseHex(theme.primaryColor ?? NEUTRAL_PRIMARY[scheme]);
  const ink = readable(luminance(background) > 0.18 ? INK : MOON, background);
  const surface = mix(ink, background, 0.05);
  const bubble = mix(primary, background, 0.12);
  const colours = {
    bg: background,
    surface,
    bubble,
    primary,
    ink: readable(ink, background, surface),
    muted: readable(mix(background, ink, 0.38), background, surface),
    line: mix(ink, background, 0.14),
    edge: mix(ink, background, 0.28),
    accent: readable(primary, background, surface, bubble),
    danger: readable(DANGER[scheme], background, surface),
    "on-primary": readable(WHITE, primary),
    "on-bubble": readable(ink, bubble),
  };
  return Object.fromEntries(Object.entries(colours).map(([name, colour]) => [name, toHex(colour)]));
}

function declarations(theme: WidgetTheme, scheme: Scheme): string {
  const tokens = Object.entries(themeTokens(theme, scheme));
  return `:host{color-scheme:${scheme}!important;${tokens.map(([name, value]) => `--${name}:${value}!important`).join(";")}}`;
}

/** A style sheet with the theme's custom properties, for the visitor's scheme or the theme's own. */
export function themeCss(theme: WidgetTheme): string {
  const radius = `:host{--radius:${theme.cornerRadius ?? 16}px!important}`;
  if (theme.colorScheme === "light" || theme.colorScheme === "dark") {
    return radius + declarations(theme, theme.colorScheme);
  }
  return `${radius}${declarations(theme, "light")}@media (prefers-color-scheme:dark){${declarations(theme, "dark")}}`;
}
