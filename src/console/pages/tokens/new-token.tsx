import { h } from "preact";
import { useState } from "preact/hooks";

import type { NewToken } from "../../../domain/operator/server.ts";
import { ask } from "../../api/client.ts";
import { botNames, bots, hasManyBots, isNamed } from "../../bots.ts";
import { FormDialog } from "../../parts/dialog.tsx";
import { Check, ExpiryField, expiryOf, Input } from "../../parts/fields.tsx";
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
  const toggle = (id: string) =>
    setPicked(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const create = async () => {
    const named = label.trim() !== "" && { label: label.trim() };
    const body = { bots: [...chosen], ...named, ...expiryOf(expiry, Date.now()) };
    onMade(await ask("POST /tokens", { body }));
  };
  return (
    <FormDialog
      title="New token"
      fault="No token was created"
      does="Create the token"
      isReady={chosen.length > 0}
      onSubmit={create}
      onClose={onClose}
    >
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
              <Check key={id} isOn={chosen.includes(id)} onChange={() => toggle(id)}>
                <bdi>{name}</bdi>
              </Check>
            ))}
        </div>
        {hasManyBots() && (
          <p class="small dim" role="status">
            {chosen.length === 0 ? "No bot is selected." : `Selected: ${botNames(chosen)}.`}
          </p>
        )}
      </fieldset>
      <Input
        label="Label"
        hint="For this list only, for example the name of the page."
        maxLength={200}
        value={label}
        onType={setLabel}
      />
      <ExpiryField days={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
