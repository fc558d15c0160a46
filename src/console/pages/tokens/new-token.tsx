import { h } from "preact";
import { useState } from "preact/hooks";

import type { NewToken } from "../../../domain/operator/server.ts";
import { ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";
import { botNames, bots, hasManyBots, isNamed } from "../../bots.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { EXPIRIES, expiryOf } from "../../parts/expiries.ts";
import { Field, Select } from "../../parts/filters.tsx";
import { Fault } from "../../parts/states.tsx";
import { useOnce } from "../../use-once.ts";
import { count } from "../../words/numbers.ts";

/** Asks which bots a token is for. */
export function NewTokenDialog({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (token: NewToken) => void;
}) {
  const known = bots.value ?? [];
  const [picked, setPicked] = useState<readonly string[]>();
  // If there is only one bot, it is selected.
  const chosen = picked ?? (known.length === 1 ? known.map(({ id }) => id) : []);
  const [typed, setTyped] = useState("");
  const [label, setLabel] = useState("");
  const [expiry, setExpiry] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const toggle = (id: string) =>
    setPicked(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const making = useOnce(async () => {
    try {
      const expiresAt = expiryOf(expiry, Date.now());
      const body = {
        bots: [...chosen],
        ...(label.trim() !== "" && { label: label.trim() }),
        ...(expiresAt !== undefined && { expiresAt }),
      };
      onMade(await ask("POST /tokens", { body }));
    } catch (error) {
      setProblem(asProblem(error));
    }
  });
  const submit = (event: Event) => {
    event.preventDefault();
    making.run();
  };
  return (
    <Dialog title="New token" onClose={onClose}>
      <form class="section" onSubmit={submit}>
        {problem !== undefined && <Fault what="No token was created" problem={problem} />}
        <fieldset class="section">
          <legend class="small strong dim">Bots that the token can be used with</legend>
          {hasManyBots() && (
            <input
              class="input"
              type="search"
              aria-label="Search bots"
              placeholder={`Search ${count(known.length)} bots`}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={(event) => {
                // Enter in the search field must not submit the form.
                if (event.key === "Enter") event.preventDefault();
              }}
            />
          )}
          <div class="checks-scroll" tabIndex={hasManyBots() ? 0 : undefined}>
            {known
              .filter((bot) => isNamed(bot, typed))
              .map(({ id, name }) => (
                <label key={id} class="check">
                  <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
                  <bdi>{name}</bdi>
                </label>
              ))}
          </div>
          {hasManyBots() && (
            <p class="small dim" role="status">
              {chosen.length === 0 ? "No bot is selected." : `Selected: ${botNames(chosen)}.`}
            </p>
          )}
        </fieldset>
        <Field label="Label" hint="For this list only, for example the name of the page.">
          {({ id, describedBy }) => (
            <input
              id={id}
              class="input"
              maxLength={200}
              aria-describedby={describedBy}
              value={label}
              onInput={(event) => setLabel(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="field">
          <span class="label">Valid</span>
          <Select label="Valid for" value={expiry} options={EXPIRIES} onChange={setExpiry} />
        </div>
        <div class="actions">
          <span class="end" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={making.isBusy || chosen.length === 0}>
            Create the token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
