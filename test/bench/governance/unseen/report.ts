import { answeredShare, deniedShare, restrictedShare, sumOf } from "../tally.ts";
import type { KindFigures, UnseenFigures } from "./measure.ts";

const COLUMNS = ["restricted", "DENY_LIST", "answered", "DENY_LIST"];
const WIDTH = 11;

/** Shares of denied messages that are restricted and denied, and of allowed ones that are answered and denied. */
const ratesOf = ({ denied, allowed }: KindFigures): number[] => [
  restrictedShare(denied),
  deniedShare(denied),
  answeredShare(allowed),
  deniedShare(allowed),
];

function row(name: string, rates: readonly number[], count = ""): string {
  const cells = rates.map((rate) => (Number.isNaN(rate) ? "–" : rate.toFixed(3)).padStart(WIDTH));
  return `  ${name.padEnd(48)} ${cells.join("")} ${count.padStart(8)}`;
}

/** The mean over kinds, each of which counts alike. */
function mean(name: string, kinds: readonly KindFigures[]): string {
  const rates = kinds.map(ratesOf);
  const means = COLUMNS.map((_, column) => {
    const known = rates.map((each) => each[column]!).filter((rate) => !Number.isNaN(rate));
    return known.reduce((sum, rate) => sum + rate, 0) / known.length;
  });
  return row(`mean of ${kinds.length} ${name}`, means);
}

function table(kinds: readonly KindFigures[]): string[] {
  return kinds
    .toSorted((left, right) => (ratesOf(right)[1]! || 0) - (ratesOf(left)[1]! || 0))
    .map((kind) => row(`${kind.isKnown ? "*" : " "} ${kind.name}`, ratesOf(kind), String(kind.denied.total)));
}

/** The figures of each kind over all data sets. */
function overSets(all: readonly (readonly KindFigures[])[]): KindFigures[] {
  return all[0]!.map((kind, i) => ({
    ...kind,
    denied: sumOf(all.map((kinds) => kinds[i]!.denied)),
    allowed: sumOf(all.map((kinds) => kinds[i]!.allowed)),
  }));
}

/** The figures by kind, over all data sets, with the means before them. */
export function describeUnseen(all: readonly UnseenFigures[]): string {
  const disguises = overSets(all.map((figures) => figures.disguises));
  const joints = overSets(all.map((figures) => figures.joints));
  return [
    "Disguises and joints made from public data, by kind; the code has a rule for those marked *",
    row("", []) +
      ["of denied messages:", "of allowed ones:"].map((title) => title.padStart(2 * WIDTH)).join(""),
    `  ${"".padEnd(48)} ${COLUMNS.map((column) => column.padStart(WIDTH)).join("")} ${"denied".padStart(8)}`,
    mean(
      "disguises that no rule is made for",
      disguises.filter(({ isKnown }) => !isKnown),
    ),
    mean(
      "disguises that a rule is made for",
      disguises.filter(({ isKnown }) => isKnown),
    ),
    mean("joints that no list holds", joints),
    "",
    ...table(disguises),
    "",
    ...table(joints),
  ].join("\n");
}
