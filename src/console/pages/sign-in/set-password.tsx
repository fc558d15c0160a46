import { h } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Session } from "../../../domain/operator/access.ts";
import { ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/filters.tsx";
import { Fault } from "../../parts/states.tsx";
import { LEAST_PASSWORD_LENGTH } from "../../password-length.ts";
import { useOnce } from "../../use-once.ts";
import { Door } from "./door.tsx";

interface SetPasswordProps {
  session: Session;
  onDone: (session: Session) => void;
}

/** Asks for a password after an operator without one has signed in by a link. It can be skipped: another link works as well. */
export function SetPassword({ session, onDone }: SetPasswordProps) {
  const [password, setPassword] = useState("");
  const [isTried, setIsTried] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    document.title = "Choose a password · Parley";
  }, []);
  const isShort = Array.from(password).length < LEAST_PASSWORD_LENGTH;
  const keeping = useOnce(async () => {
    try {
      onDone(await ask("PUT /session/password", { body: { password } }));
    } catch (error) {
      setProblem(asProblem(error));
    }
  });
  const submit = (event: Event) => {
    event.preventDefault();
    setIsTried(true);
    if (!isShort) keeping.run();
  };
  return (
    <Door title="Choose a password">
      <p class="dim">You are signed in. With a password you can sign in again without a link.</p>
      {problem !== undefined && <Fault what="The password was not saved" problem={problem} />}
      <form onSubmit={submit}>
        <Field
          label="Password"
          hint={`At least ${LEAST_PASSWORD_LENGTH} characters, for example a few words.`}
          fault={isTried && isShort ? `Use at least ${LEAST_PASSWORD_LENGTH} characters.` : undefined}
        >
          {({ id, describedBy }) => (
            <input
              id={id}
              class="input"
              type="password"
              autocomplete="new-password"
              aria-describedby={describedBy}
              aria-invalid={isTried && isShort}
              value={password}
              onInput={(event) => setPassword(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="actions">
          <Button kind="primary" type="submit" disabled={keeping.isBusy}>
            Save the password
          </Button>
          <Button kind="quiet" onClick={() => onDone(session)}>
            Later
          </Button>
        </div>
      </form>
    </Door>
  );
}
