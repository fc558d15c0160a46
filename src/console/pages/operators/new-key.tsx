import { h } from "preact";
import { useState } from "preact/hooks";

import type { OperatorKey, OperatorPermission } from "../../../domain/operator/access.ts";
import { ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";
import { session } from "../../api/signed-in.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { EXPIRIES, expiryOf } from "../../parts/expiries.ts";
import { Field, Select } from "../../parts/filters.tsx";
import { Fault } from "../../parts/states.tsx";
import { useOnce } from "../../use-once.ts";

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
  const [problem, setProblem] = useState<Problem>();
  const toggle = (permission: OperatorPermission) =>
    setChosen(
      chosen.includes(permission) ? chosen.filter((other) => other !== permission) : [...chosen, permission],
    );
  const making = useOnce(async () => {
    try {
      const expiresAt = expiryOf(expiry, Date.now());
      const body = {
        label: label.trim(),
        permissions: [...chosen],
        ...(expiresAt !== undefined && { expiresAt }),
      };
      onMade(await ask("POST /keys", { body }));
    } catch (error) {
      setProblem(asProblem(error));
    }
  });
  const submit = (event: Event) => {
    event.preventDefault();
    making.run();
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      <form class="section" onSubmit={submit}>
        {problem !== undefined && <Fault what="No key was created" problem={problem} />}
        <Field label="Label" hint="The purpose of the script. The audit shows it beside each change.">
          {({ id, describedBy }) => (
            <input
              id={id}
              class="input"
              required
              maxLength={100}
              aria-describedby={describedBy}
              value={label}
              onInput={(event) => setLabel(event.currentTarget.value)}
            />
          )}
        </Field>
        <fieldset class="section">
          <legend class="small strong dim">Role</legend>
          <div class="checks">
            {offered.map((permission) => (
              <label key={permission} class="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(permission)}
                  onChange={() => toggle(permission)}
                />
                <code class="small">{permission}</code>
              </label>
            ))}
          </div>
        </fieldset>
        <div class="field">
          <span class="label">Valid</span>
          <Select label="Valid for" value={expiry} options={EXPIRIES} onChange={setExpiry} />
        </div>
        <div class="actions">
          <span class="end" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={label.trim() === "" || chosen.length === 0}>
            Create the key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
