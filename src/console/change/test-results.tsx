import { h } from "preact";

import type { TestOutcome } from "../../domain/operator/bots.ts";
import { TableFrame } from "../parts/table.tsx";
import { VisitorText } from "../parts/text.tsx";

/** Tests that fail, each with the expected and the actual result. */
export function FailedTests({ tests }: { tests: readonly TestOutcome[] }) {
  if (tests.length === 0) return null;
  return (
    <TableFrame
      label="Tests that do not pass"
      kind="stack"
      heads={{ "Test that does not pass": "", Expected: "", Got: "" }}
    >
      {tests.map((test) => (
        <FailedTest key={test.test} test={test} />
      ))}
    </TableFrame>
  );
}

function FailedTest({ test: { utterance, mismatches } }: { test: TestOutcome }) {
  const said = (side: "expected" | "got") =>
    mismatches.map((mismatch) => (
      <span key={mismatch.field} class="mismatch">
        <span class="faint small">{mismatch.field}</span>{" "}
        {mismatch.field === "response" ? (
          <VisitorText text={mismatch[side] ?? "none"} />
        ) : (
          <code class="intent">{mismatch[side] ?? "none"}</code>
        )}
      </span>
    ));
  return (
    <tr class="look">
      <th scope="row">
        <VisitorText text={utterance} />
      </th>
      <td data-label="Expected">{said("expected")}</td>
      <td data-label="Got">{said("got")}</td>
    </tr>
  );
}
