import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

const HEIGHT = 900;
/** Widths of the window in the light scheme, and those in the dark one: between two of them the same colours meet. */
const WIDTHS = { light: [1440, 900, 400], dark: [1440, 400] } as const;

/** Violations that axe finds on a page, and horizontal overflow, in both colour schemes and at each width. */
export async function inEveryView(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS[colorScheme]) {
      await page.setViewportSize({ width, height: HEIGHT });
      const faults = await violations(page, colorScheme);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) faults.push(`scrolls sideways by ${overflow}`);
      found.push(...faults.map((fault) => `${colorScheme}, ${width}: ${fault}`));
    }
  }
  return found;
}

/**
 * The dark scheme differs from the light one only in colours, so that only one rule needs to be checked in it. Passed rules are not reported
 * for each element, and a page without frames is checked as a whole instead of in parts. The rules stay the same, and it takes less than half
 * the time.
 */
export async function violations(page: Page, colorScheme: "light" | "dark"): Promise<string[]> {
  const found = await new AxeBuilder({ page })
    .options({
      resultTypes: ["violations"],
      ...(colorScheme === "dark" && { runOnly: { type: "rule", values: ["color-contrast"] } }),
    })
    .setLegacyMode(page.frames().length === 1)
    .analyze();
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, html, failureSummary }) =>
        `${id}: ${target.join(" ")}: ${html.slice(0, 160)}: ${failureSummary}`,
    ),
  );
}
