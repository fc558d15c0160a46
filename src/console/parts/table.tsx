import { type ComponentChildren, h } from "preact";

/** A column of a table. */
export interface Column<Row> {
  /** The column's head as text, shown beside each value on phones. */
  readonly label: string;
  /** What stands at its head; absent: the label. */
  readonly head?: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  readonly className?: string;
}

interface FrameProps {
  /** Names the area, which scrolls sideways if it is too narrow. */
  label: string;
  /** For screen readers; absent: the label. */
  caption?: string;
  /** Further classes of the table. */
  kind?: string;
  head: ComponentChildren;
  /** The rows. */
  children: ComponentChildren;
}

function Frame({ label, caption = label, kind = "", head, children }: FrameProps) {
  return (
    <div class="table-wrap" tabIndex={0} role="region" aria-label={label}>
      <table class={`table ${kind}`}>
        <caption class="vh">{caption}</caption>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A table whose rows are not alike. @param heads of its columns, each with its classes; `vh`: for screen readers alone. */
export function TableFrame({
  heads,
  ...frame
}: Omit<FrameProps, "head"> & { heads: Readonly<Record<string, string>> }) {
  const head = Object.entries(heads).map(([says, classes]) => (
    <th key={says} scope="col" class={classes.replace("vh", "").trim()}>
      {classes.includes("vh") ? <span class="vh">{says}</span> : says}
    </th>
  ));
  return <Frame {...frame} head={head} />;
}

interface TableProps<Row> {
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  isOn?: (row: Row) => boolean;
}

/** A table. The first column names the row. On phones each row is a block with the heads beside the values. */
export function Table<Row>({ caption, rows, columns, keyOf, isOn }: TableProps<Row>) {
  return (
    <Frame
      label={caption}
      kind="stack"
      head={columns.map((column) => (
        <th key={column.label} scope="col" class={classOf(column)}>
          {column.head ?? column.label}
        </th>
      ))}
    >
      {rows.map((row) => (
        <tr key={keyOf(row)} class={isOn?.(row) === true ? "on" : undefined}>
          {columns.map((column, at) =>
            at === 0 ? (
              <th key={column.label} scope="row" class={column.className}>
                {column.cell(row)}
              </th>
            ) : (
              <td key={column.label} class={classOf(column)} data-label={column.label}>
                {column.cell(row)}
              </td>
            ),
          )}
        </tr>
      ))}
    </Frame>
  );
}

function classOf<Row>({ isNumber = false, className = "" }: Column<Row>): string | undefined {
  return `${isNumber ? "num " : ""}${className}`.trim() || undefined;
}
