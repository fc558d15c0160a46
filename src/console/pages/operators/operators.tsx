import { h } from "preact";
import { useState } from "preact/hooks";

import type { Operator, Role, SignInLink } from "../../../domain/operator/access.ts";
import { ask } from "../../api/client.ts";
import { session } from "../../api/connection.ts";
import { Tag } from "../../parts/badge.tsx";
import { GuardedButton, whyOff } from "../../parts/button.tsx";
import { Confirm, FormDialog } from "../../parts/dialog.tsx";
import { Input, Select, SelectField } from "../../parts/fields.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/text.tsx";
import { attempt, say } from "../../toasts.ts";
import { useAction } from "../../use-action.ts";

/** Roles that may be chosen, with their meanings. */
const ROLE_OPTIONS = [
  ["viewer", "viewer: reads"],
  ["editor", "editor: also changes bots"],
  ["owner", "owner: everything"],
] as const;

interface OperatorTableProps {
  rows: readonly Operator[];
  onChanged: () => void;
  onLink: (name: string, link: SignInLink) => void;
}

/** Operators with their roles. */
export function OperatorTable({ rows, onChanged, onLink }: OperatorTableProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<Operator>();
  // Not once at a time: the list of a row already shows the role that was chosen.
  const setRole = ({ name, role: before }: Operator, role: Role) =>
    attempt("Not changed", async () => {
      await ask("PATCH /operators/:name", { path: { name }, body: { role } });
      onChanged();
      say(`${name} was ${before} and is now ${role}.`);
    });
  const makeLink = useAction(async ({ name }: Operator) => {
    onLink(name, await ask("POST /operators/:name/link", { path: { name } }));
    say(`A new link for ${name} is shown. Older links no longer work.`);
  }, "No link was created");
  const remove = async ({ name }: Operator) => {
    await ask("DELETE /operators/:name", { path: { name } });
    onChanged();
    say(`${name} is signed out everywhere and can no longer sign in.`);
  };
  const columns: readonly Column<Operator>[] = [
    ...COLUMNS,
    {
      label: "Role",
      cell: (row) => <RoleCell row={row} onRole={(role) => void setRole(row, role)} />,
    },
    ...LATER_COLUMNS,
    {
      head: <span class="vh">Actions</span>,
      label: "Actions",
      isNumber: true,
      cell: (row) => (
        <span class="row-actions">
          <GuardedButton permission="operators.write" kind="quiet" onClick={() => makeLink.run(row)}>
            New link
          </GuardedButton>
          {row.name !== session.value?.operator.name && (
            <GuardedButton permission="operators.write" kind="danger" onClick={() => setRemoving(row)}>
              Remove…
            </GuardedButton>
          )}
        </span>
      ),
    },
  ];
  return (
    <section class="section" aria-labelledby="h-operators">
      <header>
        <h2 id="h-operators">Operators</h2>
        <span class="end" />
        <GuardedButton permission="operators.write" onClick={() => setIsAdding(true)}>
          New operator
        </GuardedButton>
      </header>
      <Table caption="Operators, by name" rows={rows} columns={columns} keyOf={({ name }) => name} />
      {isAdding && (
        <NewOperatorDialog
          onClose={() => setIsAdding(false)}
          onMade={(name, link) => {
            setIsAdding(false);
            onChanged();
            onLink(name, link);
          }}
        />
      )}
      {removing !== undefined && (
        <RemoveDialog
          operator={removing}
          onClose={() => setRemoving(undefined)}
          onRemove={() => remove(removing)}
        />
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Operator>[] = [
  {
    label: "Name",
    cell: ({ name, hasPassword }) => (
      <span>
        <bdi>{name}</bdi> {name === session.value?.operator.name && <Tag>you</Tag>}
        {!hasPassword && <span class="sub">no password, signs in by link</span>}
      </span>
    ),
  },
];

const LATER_COLUMNS: readonly Column<Operator>[] = [
  {
    label: "Last seen",
    cell: ({ lastSeenAt }) =>
      lastSeenAt === undefined ? <span class="faint">never</span> : <Time at={lastSeenAt} as="ago" />,
  },
  { label: "Added", cell: ({ createdAt }) => <Time at={createdAt} as="ago" /> },
];

/** Operators cannot change their own role: the last owner could not undo it. */
function RoleCell({ row, onRole }: { row: Operator; onRole: (role: Role) => void }) {
  const isOwn = row.name === session.value?.operator.name;
  if (isOwn || whyOff("operators.write") !== undefined) return <span>{row.role}</span>;
  return (
    <Select
      label={`Role of ${row.name}`}
      value={row.role}
      options={ROLE_OPTIONS}
      onChange={(role) => onRole(role as Role)}
    />
  );
}

interface RemoveProps {
  operator: Operator;
  onClose: () => void;
  onRemove: () => unknown;
}

function RemoveDialog({ operator: { name }, onClose, onRemove }: RemoveProps) {
  return (
    <Confirm
      title={`Remove ${name}?`}
      does="Remove"
      fault="Not removed"
      onConfirm={onRemove}
      onClose={onClose}
    >
      <bdi>{name}</bdi> will be signed out everywhere at once, and the keys that they created will be
      rejected. Their entries in the audit stay.
    </Confirm>
  );
}

interface NewOperatorProps {
  onClose: () => void;
  onMade: (name: string, link: SignInLink) => void;
}

/** Form for name and role. The answer is a link that signs the operator in once. */
function NewOperatorDialog({ onClose, onMade }: NewOperatorProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const add = async () => {
    const { link } = await ask("POST /operators", { body: { name: name.trim(), role } });
    onMade(name.trim(), link);
  };
  return (
    <FormDialog
      title="New operator"
      fault="No operator was added"
      does="Add and show a sign-in link"
      isReady={name.trim() !== ""}
      onSubmit={add}
      onClose={onClose}
    >
      <Input
        label="Name"
        hint="A name or an e-mail address. The audit shows it beside each change."
        required
        maxLength={64}
        autocomplete="off"
        autocapitalize="none"
        value={name}
        onType={setName}
      />
      <SelectField
        label="Role"
        value={role}
        options={ROLE_OPTIONS}
        onChange={(next) => setRole(next as Role)}
      />
    </FormDialog>
  );
}
