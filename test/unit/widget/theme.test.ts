import { expect, test } from "bun:test";

import fc from "fast-check";

import type { WidgetTheme } from "../../../src/domain/embed.ts";
import {
  BLACK,
  contrast,
  luminance,
  mix,
  parseHex,
  type Rgb,
  readable,
  WHITE,
} from "../../../src/widget/loader/colour.ts";
import { frameCss, frameTokens, type Scheme } from "../../../src/widget/loader/theme.ts";
import { panelCss, panelTokens } from "../../../src/widget/panel/theme.ts";

const INK: Rgb = parseHex("#181a20");

const hexColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);
const part = fc.integer({ min: 0, max: 255 });
const rgb: fc.Arbitrary<Rgb> = fc.tuple(part, part, part);

test("contrast is that of WCAG: 21 between black and white, 4.54 between white and #767676", () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  expect(contrast(parseHex("#767676"), [255, 255, 255])).toBeCloseTo(4.54, 2);
  expect(luminance([10, 10, 10])).toBeCloseTo(0.003035, 5);
});

test("readable text reaches 4.5 on any background", () => {
  fc.assert(
    fc.property(rgb, rgb, (text, background) => contrast(readable(text, background), background) >= 4.5),
    { numRuns: 2000 },
  );
});

test("readable leaves a colour alone that is readable already", () => {
  expect(readable([0, 0, 120], [255, 255, 255])).toEqual([0, 0, 120]);
});

test("a mix of nothing and of everything are its two ends", () => {
  expect(mix([9, 8, 7], [1, 2, 3], 0)).toEqual([1, 2, 3]);
  expect(mix([9, 8, 7], [1, 2, 3], 1)).toEqual([9, 8, 7]);
});

const themeTokens = (theme: WidgetTheme, scheme: Scheme): Record<string, Rgb> => ({
  ...frameTokens(theme, scheme),
  ...panelTokens(theme, scheme),
});

const TEXT_ON: readonly (readonly [text: string, backgrounds: readonly string[]])[] = [
  ["ink", ["bg", "surface", "bubble"]],
  ["muted", ["bg", "surface"]],
  ["accent", ["bg", "surface"]],
  ["error", ["bg", "surface"]],
  ["on-primary", ["primary"]],
];

test("every text is readable on everything it stands on, whatever the operator's colours", () => {
  const theme = fc.record(
    {
      primaryColor: hexColour,
      backgroundColor: hexColour,
      colorScheme: fc.constantFrom("auto" as const, "light" as const, "dark" as const),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(theme, fc.constantFrom<Scheme>("light", "dark"), (wanted, scheme) => {
      const tokens = themeTokens(wanted, scheme);
      for (const [text, backgrounds] of TEXT_ON) {
        for (const background of backgrounds) {
          expect(contrast(tokens[text]!, tokens[background]!)).toBeGreaterThanOrEqual(4.5);
        }
      }
      expect(contrast(tokens["icon"]!, tokens["primary"]!)).toBeGreaterThanOrEqual(3);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["#7c5cff", "light", WHITE],
  ["#ffb300", "light", INK],
  ["#f5e663", "dark", INK],
  [undefined, "dark", INK],
  [undefined, "light", WHITE],
] as const)(
  "icons on %s in the %s scheme are white or ink, and never grey",
  (primaryColor, scheme, colour) => {
    const theme = primaryColor ? { primaryColor } : {};
    expect(frameTokens(theme, scheme).icon).toEqual(colour);
    const written = panelTokens(theme, scheme)["on-primary"]!;
    expect([WHITE, INK, BLACK]).toContainEqual(written);
  },
);

test("a light background belongs to the light scheme, and the dark one keeps its own", () => {
  const theme = { backgroundColor: "#fff8e7" };
  expect(themeTokens(theme, "light")["bg"]).toEqual([255, 248, 231]);
  expect(luminance(themeTokens(theme, "dark")["bg"]!)).toBeLessThan(0.05);
});

test("a fixed scheme writes one rule, an automatic one asks the visitor's system", () => {
  for (const css of [frameCss, panelCss]) {
    expect(css({ colorScheme: "dark" })).not.toContain("@media");
    expect(css({})).toContain("@media (prefers-color-scheme:dark)");
  }
  expect(frameCss({ cornerRadius: 4 })).toContain("--radius:4px!important");
});
