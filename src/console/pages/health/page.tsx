import { Fragment, h } from "preact";

import type { HealthFinding, ServerHealth } from "../../../domain/operator/server.ts";
import { ask } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Read } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { bytes, counted } from "../../words/numbers.ts";
import { Backups } from "./backups.tsx";
import { Findings } from "./findings.tsx";

/** State of the server: checks, backups and versions. */
export default function HealthPage() {
  const health = useResource("health", (signal) => ask("GET /health", {}, { signal }));
  return (
    <Fragment>
      <PageHead title="Health" lead={health.data && leadOf(health.data)} />
      <div class="body">
        <Read what="the health of the server" from={health}>
          {(data) => (
            <div class="cols health-columns">
              <div class="c7 section gap">
                <Findings findings={data.findings} />
              </div>
              <div class="c5 section gap">
                <Backups health={data} onMade={health.reload} />
                <Server health={data} />
              </div>
            </div>
          )}
        </Read>
      </div>
    </Fragment>
  );
}

const isWorth = ({ severity }: HealthFinding) => severity === "mend" || severity === "broken";

function leadOf({ ready, findings }: ServerHealth) {
  const worth = findings.filter(isWorth).length;
  if (!ready) return <b>The server is not ready: it rejects visitors' messages.</b>;
  const hints = findings.filter(({ severity }) => severity === "hint").length;
  if (worth === 0 && hints > 0)
    return (
      <Fragment>
        <b>No check needs attention.</b> {counted(hints, "hint")}, below.
      </Fragment>
    );
  if (worth === 0) return <b>All checks pass.</b>;
  return (
    <Fragment>
      <b>The server is ready.</b> {counted(worth, "check")} {worth === 1 ? "needs" : "need"} attention.
    </Fragment>
  );
}

function Server({ health }: { health: ServerHealth }) {
  const { version, startedAt, store, memoryBytes, databaseBytes, freeBytes } = health;
  return (
    <section class="section" aria-labelledby="h-server">
      <h2 id="h-server">Server</h2>
      <dl class="facts">
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>Running since</dt>
        <dd>
          <Time at={startedAt} />
        </dd>
        <dt>Store</dt>
        <dd>{store === "sqlite" ? "SQLite, in the data folder" : "PostgreSQL"}</dd>
        <dt>Memory</dt>
        <dd>{bytes(memoryBytes)}</dd>
        {databaseBytes !== undefined && [<dt key="t">Database</dt>, <dd key="d">{bytes(databaseBytes)}</dd>]}
        {freeBytes !== undefined && [<dt key="t">Free disk space</dt>, <dd key="d">{bytes(freeBytes)}</dd>]}
      </dl>
    </section>
  );
}
