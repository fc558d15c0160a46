import { h } from "preact";

import type { Outcome } from "../../../domain/operator/overview.ts";
import type { HealthFinding } from "../../../domain/operator/server.ts";
import { Badge } from "../../parts/badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { capital, Sentence } from "../../parts/text.tsx";

type Severity = HealthFinding["severity"];

/** Most serious first. */
const ORDER: readonly Severity[] = ["broken", "mend", "hint", "fine"];

const DRAWN: Readonly<Record<Severity, { outcome: Outcome; says: string }>> = {
  broken: { outcome: "failed", says: "Error" },
  mend: { outcome: "unmatched", says: "Warning" },
  hint: { outcome: "asked", says: "Hint" },
  fine: { outcome: "answered", says: "OK" },
};

const COLUMNS: readonly Column<HealthFinding>[] = [
  {
    label: "Check",
    className: "top nowrap",
    cell: ({ check }) =>
      check === "write-ahead-log" ? "Write-ahead log" : capital(check.replaceAll("-", " ")),
  },
  {
    label: "State",
    className: "top",
    cell: ({ severity }) => <Badge {...DRAWN[severity]} />,
  },
  {
    label: "Finding",
    className: "top wide",
    cell: ({ message, cure }) => (
      <span>
        <Sentence text={capital(message)} />
        {cure !== undefined && (
          <span class="sub">{isCommand(cure) ? <code>{cure}</code> : <Sentence text={capital(cure)} />}</span>
        )}
      </span>
    ),
  },
];

/** A cure that is a command alone stands without backticks, and is copied as it is. */
const isCommand = (cure: string) => cure.startsWith("parley ");

/** The results of all checks, most serious first. */
export function Findings({ findings }: { findings: readonly HealthFinding[] }) {
  const sorted = findings.toSorted(
    (one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity),
  );
  return (
    <section class="section" aria-labelledby="h-findings">
      <header>
        <h2 id="h-findings">Checks</h2>
      </header>
      <Table
        caption="Checks, the most serious first"
        rows={sorted}
        columns={COLUMNS}
        keyOf={({ check, message }) => `${check} ${message}`}
      />
    </section>
  );
}
