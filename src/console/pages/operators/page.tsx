import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { Operator, OperatorKey, SignInLink } from "../../../domain/operator/access.ts";
import { ask } from "../../api/client.ts";
import { session } from "../../api/connection.ts";
import { useResource } from "../../api/resource.ts";
import { Button } from "../../parts/button.tsx";
import { ShownOnce } from "../../parts/copyable.tsx";
import { Input, isLongEnough, NewPassword } from "../../parts/fields.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Fault, Read } from "../../parts/states.tsx";
import { whyNot } from "../../session.ts";
import { say } from "../../toasts.ts";
import { useAction } from "../../use-action.ts";
import { counted } from "../../words/numbers.ts";
import { clock, zone } from "../../words/times.ts";
import { Keys } from "./keys.tsx";
import { OperatorTable } from "./operators.tsx";

/** A secret that is shown only once: a sign-in link or a key. */
type Secret =
  | { kind: "link"; name: string; link: SignInLink }
  | { kind: "key"; key: OperatorKey & { key: string } };

/** Operators who may sign in, and keys for scripts. */
export default function OperatorsPage() {
  const reason = whyNot("operators.write");
  return reason === undefined ? (
    <AllOperators />
  ) : (
    <Fragment>
      <PageHead title="Operators, keys" lead={`${reason} Only owners see the list of operators, too.`} />
      <div class="body">
        <OwnPassword />
      </div>
    </Fragment>
  );
}

function AllOperators() {
  const operators = useResource(
    "operators",
    async (signal) => (await ask("GET /operators", {}, { signal })).items,
  );
  const keys = useResource("keys", async (signal) => (await ask("GET /keys", {}, { signal })).items);
  const [secret, setSecret] = useState<Secret>();
  const lead = operators.data && keys.data && leadOf(operators.data, keys.data);
  return (
    <Fragment>
      <PageHead title="Operators, keys" lead={lead} />
      <div class="body">
        {secret !== undefined && <ShownSecret secret={secret} onClose={() => setSecret(undefined)} />}
        <Read what="the operators" from={operators}>
          {(rows) => (
            <OperatorTable
              rows={rows}
              onChanged={operators.reload}
              onLink={(name, link) => setSecret({ kind: "link", name, link })}
            />
          )}
        </Read>
        <p class="small faint">
          Viewers can read. Editors can also change bots and answer hand-offs. Only owners can manage tokens
          and operators, export, delete and back up.
        </p>
        <Read what="the keys" from={keys}>
          {(rows) => (
            <Keys rows={rows} onChanged={keys.reload} onMade={(key) => setSecret({ kind: "key", key })} />
          )}
        </Read>
        <OwnPassword />
      </div>
    </Fragment>
  );
}

function leadOf(operators: readonly Operator[], keys: readonly OperatorKey[]) {
  return (
    <Fragment>
      <b>
        {counted(operators.length, "operator")} can sign in.{" "}
        {keys.length === 0
          ? "There are no keys for scripts."
          : `${counted(keys.length, "key")} for scripts ${keys.length === 1 ? "is" : "are"} in use.`}
      </b>{" "}
      The <a href="/audit">audit</a> records every change with its author.
    </Fragment>
  );
}

function ShownSecret({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  if (secret.kind === "key") {
    return (
      <ShownOnce texts={[["Key", secret.key.key]]} onClose={onClose}>
        The key for scripts, sent as Authorization: Bearer. Only a hash of it is stored.
      </ShownOnce>
    );
  }
  return (
    <ShownOnce texts={[["Link", secret.link.url]]} onClose={onClose}>
      This link signs <bdi>{secret.name}</bdi> in once, until {clock(secret.link.expiresAt)} {zone()}. Send it
      over a channel that you trust. An earlier link no longer works.
    </ShownOnce>
  );
}

/** Changes the operator's own password; their other sessions end. */
function OwnPassword() {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const hasOne = session.value?.hasPassword === true;
  const changing = useAction(async () => {
    const body = { password, ...(current !== "" && { current }) };
    session.value = await ask("PUT /session/password", { body });
    setCurrent("");
    setPassword("");
    say("Your password is changed. All your other sessions are signed out.");
  });
  return (
    <section class="section own-password" aria-labelledby="h-password">
      <h2 id="h-password">Your password</h2>
      {changing.problem && <Fault what="The password was not changed" problem={changing.problem} />}
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          changing.run();
        }}
      >
        {hasOne && (
          <Input
            label="Current password"
            hint="Not needed within 15 minutes of signing in by a link."
            type="password"
            autocomplete="current-password"
            value={current}
            onType={setCurrent}
          />
        )}
        <NewPassword label="New password" value={password} onType={setPassword} />
        <div class="wide actions">
          <Button type="submit" disabled={changing.isBusy || !isLongEnough(password)}>
            {hasOne ? "Change the password" : "Set the password"}
          </Button>
        </div>
      </form>
    </section>
  );
}
