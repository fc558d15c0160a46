import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { ModelCheck, ModelRow } from "../../../domain/operator/server.ts";
import { ask } from "../../api/client.ts";
import { asProblem, useResource } from "../../api/resource.ts";
import { botNames } from "../../bots.ts";
import { Badge } from "../../parts/badge.tsx";
import { GuardedButton, WhyOff } from "../../parts/button.tsx";
import { ModelTable } from "../../parts/model-table.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Empty, Read } from "../../parts/states.tsx";
import type { Column } from "../../parts/table.tsx";
import { Sentence } from "../../parts/text.tsx";
import { counted, milliseconds } from "../../words/numbers.ts";

type Checks = Readonly<Record<string, ModelCheck | "running">>;

/** The model servers and their state. */
export default function ModelsPage() {
  const models = useResource("models", async (signal) => (await ask("GET /models", {}, { signal })).items);
  const [checks, setChecks] = useState<Checks>({});
  const put = (name: string, check: Checks[string]) => setChecks((before) => ({ ...before, [name]: check }));
  const check = async ({ name }: ModelRow) => {
    put(name, "running");
    try {
      put(name, await ask("POST /models/:name/check", { path: { name } }));
    } catch (error) {
      put(name, { ok: false, message: asProblem(error).message, milliseconds: 0 });
    }
  };
  const checkAll = () => {
    for (const model of models.data ?? []) void check(model);
  };
  return (
    <Fragment>
      <PageHead title="Models" lead={models.data && leadOf(models.data, checks)}>
        <span class="grow" />
        {models.data !== undefined && models.data.length > 0 && (
          <GuardedButton permission="models.check" kind="primary" onClick={checkAll}>
            Check all
          </GuardedButton>
        )}
      </PageHead>
      <div class="body">
        <WhyOff permission="models.check" />
        <Read what="the model servers" from={models}>
          {(rows) =>
            rows.length === 0 ? (
              <NoModels />
            ) : (
              <ModelTable models={rows} more={[USED_BY, checkColumn(checks, (model) => void check(model))]} />
            )
          }
        </Read>
      </div>
    </Fragment>
  );
}

function leadOf(rows: readonly ModelRow[], checks: Checks) {
  const failing = rows.filter(({ circuit }) => circuit === "open");
  if (rows.length === 0) return undefined;
  const silent = rows.filter(({ name }) => {
    const check = checks[name];
    return typeof check === "object" && !check.ok;
  });
  if (silent.length > 0)
    return <b>{silent.map(({ name }) => name).join(", ")} did not respond to the check.</b>;
  if (failing.length === 0) return <b>{counted(rows.length, "model server")}, none of them failing.</b>;
  return (
    <Fragment>
      <b>{failing.map(({ name }) => name).join(", ")} keeps failing and is paused for a while.</b> Bots use
      the next server on their list, or their fallback text.
    </Fragment>
  );
}

const USED_BY: Column<ModelRow> = {
  label: "Used by",
  cell: ({ usedBy, baseUrl }) => (
    <span>
      <bdi>{usedBy.length === 0 ? <span class="faint">no bot</span> : botNames(usedBy)}</bdi>
      <span class="sub">{baseUrl}</span>
    </span>
  ),
};

const checkColumn = (checks: Checks, onCheck: (model: ModelRow) => void): Column<ModelRow> => ({
  label: "Check",
  cell: (model) => (
    <span class="actions" role="status">
      <GuardedButton permission="models.check" onClick={() => onCheck(model)}>
        Check
      </GuardedButton>
      <Checked check={checks[model.name]} />
    </span>
  ),
});

function Checked({ check }: { check: Checks[string] | undefined }) {
  if (check === undefined) return null;
  if (check === "running") return <span class="small dim">checking…</span>;
  return (
    <span class="small">
      <Badge outcome={check.ok ? "answered" : "failed"} says={check.ok ? "Responds" : "Fails"} />{" "}
      <Sentence text={check.message} />
      {check.milliseconds > 0 && `, ${milliseconds(check.milliseconds)}`}
    </span>
  );
}

function NoModels() {
  return (
    <Empty title="No model server">
      <p>
        Bots answer with their prepared texts only, and no data leaves this machine. Model servers are named
        in the server's configuration, under <code>models</code>.
      </p>
    </Empty>
  );
}
