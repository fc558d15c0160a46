import { h } from "preact";
import { useState } from "preact/hooks";

import type { BackupRow, ServerHealth } from "../../../domain/operator/server.ts";
import { askStream } from "../../api/client.ts";
import { GuardedButton, WhyOff } from "../../parts/button.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/text.tsx";
import { say } from "../../toasts.ts";
import { useAction } from "../../use-action.ts";
import { bytes } from "../../words/numbers.ts";

const COLUMNS: readonly Column<BackupRow>[] = [
  { label: "File", cell: ({ name }) => <code>{name}</code> },
  { label: "Created", cell: ({ at }) => <Time at={at} as="ago" /> },
  { label: "Size", isNumber: true, cell: (row) => bytes(row.bytes) },
];

/** Copies of the database, and the button that makes one. */
export function Backups({ health, onMade }: { health: ServerHealth; onMade: () => void }) {
  const [step, setStep] = useState<string>();
  const backUp = useAction(async () => {
    setStep("starting");
    const made = await askStream("POST /backups", {}, ({ step: now, done, of }) =>
      setStep(`${now}, ${done} of ${of}`),
    );
    say(`Backed up to ${made.name}, ${bytes(made.bytes)}.`);
    onMade();
  }, "No backup was made");
  if (health.store === "postgres") {
    return (
      <section class="section" aria-labelledby="h-backups">
        <h2 id="h-backups">Backups</h2>
        <p class="dim">PostgreSQL is backed up with its own tools.</p>
      </section>
    );
  }
  return (
    <section class="section" aria-labelledby="h-backups">
      <header>
        <h2 id="h-backups">Backups</h2>
        <span class="end small dim" role="status">
          {backUp.isBusy && step}
        </span>
        {!backUp.isBusy && (
          <GuardedButton permission="backups.write" onClick={backUp.run}>
            Back up now
          </GuardedButton>
        )}
      </header>
      <WhyOff permission="backups.write" />
      {health.backups.length === 0 ? (
        <p class="dim">
          No backups yet: if the disk fails, everything is lost. Start the server with --backup-every to back
          up regularly.
        </p>
      ) : (
        <Table
          caption="Backups, newest first"
          rows={health.backups}
          columns={COLUMNS}
          keyOf={({ name }) => name}
        />
      )}
    </section>
  );
}
