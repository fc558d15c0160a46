/** Red, green and blue, 0–255. */
export type Rgb = readonly [number, number, number];

export const BLACK: Rgb = [0, 0, 0];
export const WHITE: Rgb = [255, 255, 255];

export function parseHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function toHex(colour: Rgb): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** `share` of `over` laid on `under`, rounded to what a hex colour can say. */
export function mix(over: Rgb, under: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(under[index] + (over[index] - under[index]) * share);
  return [part(0), part(1), part(2)];
}

/** Relative luminance, 0–1 (WCAG 2.2). */
export function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio, 1–21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return a > b ? a / b : b / a;
}

const MINIMUM_CONTRAST = 4.5;

/** `text`, moved towards black or white only as far as it takes to be readable on every one of `backgrounds`. */
export function readable(text: Rgb, ...backgrounds: readonly Rgb[]): Rgb {
  const worst = (colour: Rgb) => Math.min(...backgrounds.map((background) => contrast(colour, background)));
  const goal = worst(WHITE) > worst(BLACK) ? WHITE : BLACK;
  let colour = text;
  for (let share = 0.05; worst(colour) < MINIMUM_CONTRAST && share <= 1; share += 0.05) {
    colour = mix(goal, text, Math.min(share, 1));
  }
  return worst(colour) < MINIMUM_CONTRAST ? goal : colour;
}
