import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { Operator, OperatorKey, SignInLink } from "../../../domain/operator/access.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { Button } from "../../parts/button.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Notice, Read } from "../../parts/states.tsx";
import { whyNot } from "../../session.ts";
import { counted } from "../../words/numbers.ts";
import { clock, zone } from "../../words/times.ts";
import { Keys } from "./keys.tsx";
import { OperatorTable } from "./operators.tsx";
import { OwnPassword } from "./own-password.tsx";

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
        {secret !== undefined && <ShownOnce secret={secret} onClose={() => setSecret(undefined)} />}
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
        {counted(operators.length, "operator")} may sign in, {counted(keys.length, "key")} may call.
      </b>{" "}
      Each of their changes is recorded in the <a href="/audit">audit</a>, under their name.
    </Fragment>
  );
}

function ShownOnce({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  return (
    <Notice kind="look" icon="key" title="Copy this now; it is shown only once">
      {secret.kind === "link" ? (
        <p>
          This link signs <bdi>{secret.name}</bdi> in once, until {clock(secret.link.expiresAt)} {zone()}.
          Send it over a channel that you trust.
        </p>
      ) : (
        <p>The key for scripts, sent as Authorization: Bearer. Only a hash of it is stored.</p>
      )}
      <Copyable
        what={secret.kind === "link" ? "Link" : "Key"}
        text={secret.kind === "link" ? secret.link.url : secret.key.key}
      />
      <div class="actions">
        <Button onClick={onClose}>I have copied it</Button>
      </div>
    </Notice>
  );
}
