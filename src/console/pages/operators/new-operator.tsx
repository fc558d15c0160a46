import { h } from "preact";
import { useState } from "preact/hooks";

import type { Role, SignInLink } from "../../../domain/operator/access.ts";
import { ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Select } from "../../parts/filters.tsx";
import { Fault } from "../../parts/states.tsx";
import { useOnce } from "../../use-once.ts";
import { ROLE_OPTIONS } from "./roles.ts";

interface NewOperatorProps {
  onClose: () => void;
  onMade: (name: string, link: SignInLink) => void;
}

/** Form for name and role. The answer is a link that signs the operator in once. */
export function NewOperatorDialog({ onClose, onMade }: NewOperatorProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [problem, setProblem] = useState<Problem>();
  const making = useOnce(async () => {
    try {
      const { link } = await ask("POST /operators", { body: { name: name.trim(), role } });
      onMade(name.trim(), link);
    } catch (error) {
      setProblem(asProblem(error));
    }
  });
  const submit = (event: Event) => {
    event.preventDefault();
    making.run();
  };
  return (
    <Dialog title="New operator" onClose={onClose}>
      <form class="section" onSubmit={submit}>
        {problem !== undefined && <Fault what="No operator was added" problem={problem} />}
        <Field label="Name" hint="A name or an e-mail address. The audit shows it beside each change.">
          {({ id, describedBy }) => (
            <input
              id={id}
              class="input"
              required
              maxLength={64}
              autocomplete="off"
              autocapitalize="none"
              aria-describedby={describedBy}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="field">
          <span class="label">Role</span>
          <Select
            label="Role"
            value={role}
            options={ROLE_OPTIONS}
            onChange={(next) => setRole(next as Role)}
          />
        </div>
        <div class="actions">
          <span class="end" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={name.trim() === ""}>
            Add and show a sign-in link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
