import { h } from "preact";
import { useState } from "preact/hooks";

import type { OperatorKey, OperatorPermission } from "../../../domain/operator/access.ts";
import { ask } from "../../api/client.ts";
import { session } from "../../api/connection.ts";
import { FormDialog } from "../../parts/dialog.tsx";
import { Checks, ExpiryField, expiryOf, Input } from "../../parts/fields.tsx";

const ALLOWS: Readonly<Record<OperatorPermission, string>> = {
  read: "read everything",
  "bots.write": "change and publish bots",
  "handoffs.answer": "answer visitors who asked for a person",
  "models.check": "send test messages to models",
  "bots.delete": "delete bots",
  "conversations.export": "export conversations",
  "conversations.delete": "erase conversations",
  "tokens.write": "create and revoke tokens",
  "backups.write": "make backups",
  "operators.write": "manage operators and keys",
};

interface NewKeyProps {
  onClose: () => void;
  onMade: (key: OperatorKey & { key: string }) => void;
}

/** Form for a new key. Its role may not exceed that of its creator. */
export function NewKeyDialog({ onClose, onMade }: NewKeyProps) {
  const offered = session.value?.permissions ?? [];
  const [label, setLabel] = useState("");
  const [chosen, setChosen] = useState<readonly OperatorPermission[]>(["read"]);
  const [expiry, setExpiry] = useState("90");
  const create = async () => {
    const body = { label: label.trim(), permissions: [...chosen], ...expiryOf(expiry, Date.now()) };
    onMade(await ask("POST /keys", { body }));
  };
  return (
    <FormDialog
      title="New key"
      fault="No key was created"
      does="Create the key"
      isReady={label.trim() !== "" && chosen.length > 0}
      onSubmit={create}
      onClose={onClose}
    >
      <Input
        label="Label"
        hint="The purpose of the script. The audit shows it beside each change."
        required
        maxLength={100}
        value={label}
        onType={setLabel}
      />
      <fieldset class="section">
        <legend class="small strong dim">Permissions</legend>
        <div class="checks">
          <Checks
            options={offered.map(
              (each) =>
                [
                  each,
                  <span key={each}>
                    <code class="small">{each}</code> <span class="faint small">{ALLOWS[each]}</span>
                  </span>,
                ] as const,
            )}
            chosen={chosen}
            onChange={setChosen}
          />
        </div>
      </fieldset>
      <ExpiryField days={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
