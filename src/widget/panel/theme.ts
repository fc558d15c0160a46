import type { WidgetTheme } from "../../domain/embed.ts";
import { contrast, firstOn, MINIMUM_CONTRAST, mix, parseHex, type Rgb, readable } from "../loader/colour.ts";
import { frameTokens, INKS, type Scheme, schemeCss, schemeOf, type Tokens } from "../loader/theme.ts";

/** `share` of a colour on the background, reduced until `ink` is readable on it. */
function tint(colour: Rgb, background: Rgb, share: number, ink: Rgb): Rgb {
  const tinted = mix(colour, background, share);
  return contrast(ink, tinted) < MINIMUM_CONTRAST ? tint(colour, background, share / 2, ink) : tinted;
}

/**
 * The colours of the panel's contents for one scheme. Every text colour (`ink`, `muted`, `accent`, `error`, `on-primary`) has a contrast of
 * at least 4.5 on each background it is used on, whatever the theme says.
 */
export function panelTokens(theme: WidgetTheme, scheme: Scheme): Tokens {
  const { bg, primary, ink } = frameTokens(theme, scheme);
  const surface = tint(ink, bg, 0.05, ink);
  return {
    surface,
    bubble: tint(primary, bg, schemeOf(bg) === "dark" ? 0.28 : 0.12, ink),
    muted: readable(mix(bg, ink, 0.38), bg, surface),
    line: mix(ink, bg, 0.14),
    accent: readable(primary, bg, surface),
    error: readable(parseHex("#d9483b"), bg, surface),
    "on-primary": firstOn(primary, MINIMUM_CONTRAST, ...INKS),
  };
}

/** The theme's style sheet for the panel in the loader's frame. */
export function panelCss(theme: WidgetTheme): string {
  const { density, fontFamily = '-apple-system,"Segoe UI",Arial' } = theme;
  const gap = density === "compact" ? "--gap:14px!important;" : "";
  return `${schemeCss(theme, panelTokens)}:host{${gap}}.frame{font-family:${fontFamily},sans-serif}`;
}
