import { h } from "preact";
import { useState } from "preact/hooks";

import { ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";
import { session } from "../../api/signed-in.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/filters.tsx";
import { Fault } from "../../parts/states.tsx";
import { LEAST_PASSWORD_LENGTH } from "../../password-length.ts";
import { say } from "../../toasts.ts";
import { useOnce } from "../../use-once.ts";

/** Changes the operator's own password; their other sessions end. */
export function OwnPassword() {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const hasOne = session.value?.hasPassword === true;
  const changing = useOnce(async () => {
    setProblem(undefined);
    try {
      const body = { password, ...(current !== "" && { current }) };
      session.value = await ask("PUT /session/password", { body });
      setCurrent("");
      setPassword("");
      say("Your password is changed. All your other sessions are signed out.");
    } catch (error) {
      setProblem(asProblem(error));
    }
  });
  const submit = (event: Event) => {
    event.preventDefault();
    changing.run();
  };
  return (
    <section class="section own-password" aria-labelledby="h-password">
      <h2 id="h-password">Your password</h2>
      {problem !== undefined && <Fault what="The password was not changed" problem={problem} />}
      <form class="fields" onSubmit={submit}>
        {hasOne && (
          <PasswordField
            label="Current password"
            hint="Not needed within 15 minutes of signing in by a link."
            autocomplete="current-password"
            value={current}
            onInput={setCurrent}
          />
        )}
        <PasswordField
          label="New password"
          hint={`At least ${LEAST_PASSWORD_LENGTH} characters, for example a few words.`}
          autocomplete="new-password"
          value={password}
          onInput={setPassword}
        />
        <div class="wide actions">
          <Button
            type="submit"
            disabled={changing.isBusy || Array.from(password).length < LEAST_PASSWORD_LENGTH}
          >
            {hasOne ? "Change it" : "Set it"}
          </Button>
        </div>
      </form>
    </section>
  );
}

interface PasswordFieldProps {
  label: string;
  hint: string;
  autocomplete: "current-password" | "new-password";
  value: string;
  onInput: (value: string) => void;
}

function PasswordField({ label, hint, autocomplete, value, onInput }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {({ id, describedBy }) => (
        <input
          id={id}
          class="input"
          type="password"
          autocomplete={autocomplete}
          aria-describedby={describedBy}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
