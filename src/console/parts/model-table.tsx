import { type ComponentChildren, h } from "preact";

import type { ModelRow } from "../../domain/operator/server.ts";
import { count, milliseconds } from "../words/numbers.ts";
import { Badge, Tag } from "./badge.tsx";
import { type Column, Table } from "./table.tsx";

/** State of a model server. While its circuit is open, it is not called. */
function State({ model: { circuit, calls } }: { model: ModelRow }) {
  if (circuit === "open") return <Badge outcome="failed" says="Paused" />;
  if (circuit === "half-open") return <Badge outcome="asked" says="Retrying" />;
  return calls === 0 ? <Tag>Not used yet</Tag> : <Badge outcome="answered" says="In use" />;
}

const time = (value: number | undefined) => (value === undefined ? "–" : milliseconds(value));

const COLUMNS: readonly Column<ModelRow>[] = [
  {
    label: "Server",
    cell: ({ name, model }) => (
      <span>
        <code class="intent">{name}</code>
        <span class="sub">{model}</span>
      </span>
    ),
  },
  { label: "State", cell: (model) => <State model={model} /> },
  { label: "p50", isNumber: true, cell: ({ p50Ms }) => time(p50Ms) },
  { label: "p95", isNumber: true, cell: ({ p95Ms }) => time(p95Ms) },
  {
    label: "Failed",
    isNumber: true,
    cell: ({ failures, calls }) => `${count(failures)} of ${count(calls)}`,
  },
];

interface ModelTableProps {
  models: readonly ModelRow[];
  /** Additional columns, for the page with actions. */
  more?: readonly Column<ModelRow>[];
}

/** Model servers as this server has seen them since it started. */
export function ModelTable({ models, more = [] }: ModelTableProps): ComponentChildren {
  return (
    <Table
      caption="Model servers, since this server started"
      rows={models}
      columns={[...COLUMNS, ...more]}
      keyOf={({ name }) => name}
    />
  );
}
