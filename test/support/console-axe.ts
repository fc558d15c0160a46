import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

export type ColorScheme = "light" | "dark";

const WIDTHS = [1440, 900, 400];

/** Violations that axe finds on a page of the console, and horizontal overflow, at each width. */
export async function atEveryWidth(page: Page, colorScheme: ColorScheme): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await violations(page, colorScheme)).map((violation) => `${width}: ${violation}`));
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) found.push(`${width}: scrolls sideways by ${overflow}`);
  }
  return found;
}

/**
 * The dark scheme differs from the light one only in colours, so that only one rule needs to be checked in it. Passed rules are not reported
 * for each element, and a page without frames is checked as a whole instead of in parts. The rules stay the same, and it takes less than half
 * the time.
 */
async function violations(page: Page, colorScheme: ColorScheme): Promise<string[]> {
  const found = await new AxeBuilder({ page })
    .options({
      resultTypes: ["violations"],
      ...(colorScheme === "dark" && { runOnly: { type: "rule", values: ["color-contrast"] } }),
    })
    .setLegacyMode(page.frames().length === 1)
    .analyze();
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
