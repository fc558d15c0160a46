import { h } from "preact";
import { useState } from "preact/hooks";

import type { OperatorKey } from "../../../domain/operator/access.ts";
import { ask } from "../../api/client.ts";
import { GuardedButton } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time, VisitorText } from "../../parts/text.tsx";
import { say } from "../../toasts.ts";
import { NewKeyDialog } from "./new-key.tsx";

interface KeysProps {
  rows: readonly OperatorKey[];
  onChanged: () => void;
  onMade: (key: OperatorKey & { key: string }) => void;
}

/** Keys for scripts: what each may do, and when it was used last. */
export function Keys({ rows, onChanged, onMade }: KeysProps) {
  const [isMaking, setIsMaking] = useState(false);
  const [deleting, setDeleting] = useState<OperatorKey>();
  const remove = async ({ id, label }: OperatorKey) => {
    await ask("DELETE /keys/:id", { path: { id } });
    say(`The key “${label}” is deleted. Scripts that use it are rejected.`);
    onChanged();
  };
  return (
    <section class="section" aria-labelledby="h-keys">
      <header>
        <h2 id="h-keys">Keys for scripts</h2>
        <span class="end" />
        <GuardedButton permission="operators.write" onClick={() => setIsMaking(true)}>
          New key
        </GuardedButton>
      </header>
      {rows.length === 0 ? (
        <p class="dim">
          No keys. A key lets a script use the operator API with the permissions that you choose.
        </p>
      ) : (
        <Table
          caption="Keys, the oldest first"
          rows={rows}
          columns={[...COLUMNS, actions(setDeleting)]}
          keyOf={({ id }) => id}
        />
      )}
      {isMaking && (
        <NewKeyDialog
          onClose={() => setIsMaking(false)}
          onMade={(key) => {
            setIsMaking(false);
            onChanged();
            onMade(key);
          }}
        />
      )}
      {deleting !== undefined && (
        <Confirm
          title={`Delete the key “${deleting.label}”?`}
          does="Delete"
          fault="The key was not deleted"
          onConfirm={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        >
          Scripts that use it are rejected from now on. A deleted key cannot be restored.
        </Confirm>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<OperatorKey>[] = [
  {
    label: "Key",
    cell: ({ id, label }) => (
      <span>
        <VisitorText text={label} />
        <span class="sub">
          <code>{id}</code>
        </span>
      </span>
    ),
  },
  {
    label: "Permissions",
    cell: ({ permissions }) => <code class="small">{permissions.join(", ")}</code>,
  },
  {
    label: "Last used",
    cell: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? <span class="faint">never</span> : <Time at={lastUsedAt} as="ago" />,
  },
  {
    label: "Expires",
    cell: ({ expiresAt }) =>
      expiresAt === undefined ? <span class="faint">never</span> : <Time at={expiresAt} as="ago" />,
  },
  { label: "Created by", cell: ({ createdBy }) => <bdi>{createdBy}</bdi> },
];

const actions = (onDelete: (key: OperatorKey) => void): Column<OperatorKey> => ({
  head: <span class="vh">Actions</span>,
  label: "Actions",
  isNumber: true,
  cell: (row) => (
    <GuardedButton permission="operators.write" kind="danger" onClick={() => onDelete(row)}>
      Delete…
    </GuardedButton>
  ),
});
