/** Red, green and blue, 0–255. */
export type Rgb = readonly [number, number, number];

export const BLACK: Rgb = [0, 0, 0];
export const WHITE: Rgb = [255, 255, 255];

/** Reads `#rrggbb`. */
export function parseHex(hex: string): Rgb {
  return hex.match(/\w\w/g)!.map((part) => Number(`0x${part}`)) as unknown as Rgb;
}

/** `share` (0–1) of `over` on `under`, rounded to integers. */
export function mix(over: Rgb, under: Rgb, share: number): Rgb {
  return under.map((part, index) => Math.round(part + (over[index]! - part) * share)) as unknown as Rgb;
}

/** Relative luminance, 0–1 (WCAG 2.2). */
export function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) =>
    part > 10 ? ((part + 14.025) / 269.025) ** 2.4 : part / 3294.6,
  ) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio, 1–21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(a / b, b / a);
}

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
export const MINIMUM_CONTRAST = 4.5;

/** The first of the colours with a contrast of at least `minimum` to the background. */
export function firstOn(background: Rgb, minimum: number, ...colours: readonly Rgb[]): Rgb {
  return colours.find((colour) => contrast(colour, background) >= minimum)!;
}

/** `text`, moved towards black or white just as far as needed to be readable on all `backgrounds`. */
export function readable(text: Rgb, ...backgrounds: readonly Rgb[]): Rgb {
  const worst = (colour: Rgb) => Math.min(...backgrounds.map((background) => contrast(colour, background)));
  const goal = worst(WHITE) > worst(BLACK) ? WHITE : BLACK;
  let colour = text;
  for (let share = 0; worst(colour) < MINIMUM_CONTRAST && share < 1;) {
    share += 0.0625;
    colour = mix(goal, text, share);
  }
  return colour;
}
