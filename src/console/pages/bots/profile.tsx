import { Fragment, h } from "preact";
import { useMemo } from "preact/hooks";

import type { CapabilityProfile } from "../../../domain/bot.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Badge } from "../../parts/badge.tsx";
import { TableFrame } from "../../parts/table.tsx";
import { type Matrix, matrixOf, type MatrixRow } from "../../profile/matrix.ts";
import { intentNames } from "../../teach/teaching.ts";
import { setField, setPattern } from "../../yaml/bot-edits.ts";
import type { Path } from "../../yaml/place.ts";
import { valueAt } from "../../yaml/plain.ts";
import { Form } from "./fields.tsx";
import { pointsAt, useBotValue, whyFormsOff, write } from "./form.tsx";

/** The capability profile: each intent with its allow and deny entries, and its status. */
export function Profile({ editor }: { editor: BotDraftEditor }) {
  const value = useBotValue(editor);
  const profile = (valueAt(value, ["capabilityProfile"]) ?? {}) as CapabilityProfile;
  const names = intentNames(editor.sound.value);
  const intents = valueAt(value, ["knowledge"]) === undefined ? names : [...names, "knowledge"];
  const matrix = useMemo(() => matrixOf(intents, profile), [value]);
  return (
    <Fragment>
      <section class="section" aria-labelledby="h-profile">
        <header>
          <h2 id="h-profile">Capability profile</h2>
          <Mode editor={editor} mode={profile.mode ?? "enforce"} />
        </header>
        <p class="dim">
          Deny wins over allow.{" "}
          {matrix.hasAllowList
            ? "This bot has an allow list: an intent on neither list is refused."
            : "This bot has no allow list: every intent that is not denied is answered."}{" "}
          {matrix.answered} of {matrix.total} intents are answered
          {profile.mode === "observe" && "; in observe mode, all of them are"}.
        </p>
        <MatrixTable editor={editor} matrix={matrix} profile={profile} />
      </section>
      <Form editor={editor} title="Refusal text" fields={REFUSALS} />
    </Fragment>
  );
}

const REFUSALS = Object.entries({
  DENY_LIST: "When an intent is denied",
  NOT_IN_ALLOW_LIST: "When an intent is not on the allow list",
  no_intent_match: "When nothing matches",
}).map(([reason, label]) => ({
  path: ["capabilityProfile", "refusals", reason],
  label,
  rows: 2,
  isWide: true,
  placeholder: "Parley's default text",
}));

function Mode({ editor, mode }: { editor: BotDraftEditor; mode: "enforce" | "observe" }) {
  const set = (next: "enforce" | "observe") =>
    write(
      editor,
      setField(editor.sound.peek(), ["capabilityProfile", "mode"], next === "enforce" ? undefined : next),
    );
  return (
    <div class="end seg" role="radiogroup" aria-label="Mode">
      {(["enforce", "observe"] as const).map((each) => (
        <label
          key={each}
          title={
            each === "observe" ? "Answers every intent and records which ones would be refused" : undefined
          }
        >
          <input
            type="radio"
            name="mode"
            checked={mode === each}
            disabled={whyFormsOff(editor) !== undefined}
            onChange={() => set(each)}
          />
          {each === "enforce" ? "Enforce" : "Observe"}
        </label>
      ))}
    </div>
  );
}

interface MatrixTableProps {
  editor: BotDraftEditor;
  matrix: Matrix;
  profile: CapabilityProfile;
}

function MatrixTable({ editor, matrix, profile }: MatrixTableProps) {
  const row = (each: MatrixRow) => <Row key={each.name} editor={editor} row={each} profile={profile} />;
  return (
    <TableFrame
      label="Capability profile, scrolls sideways on narrow screens"
      caption="Each intent with its entries on the allow list and the deny list, and its status"
      kind="matrix"
      heads={{ "Intent or pattern": "", Allow: "", Deny: "", Status: "" }}
    >
      {matrix.groups.map(({ pattern, intents }) => [pattern && row(pattern), intents.map(row)])}
      {matrix.others.length > 0 && (
        <tr class="group">
          <th scope="rowgroup" colSpan={4}>
            Entries that match no intent of this bot
          </th>
        </tr>
      )}
      {matrix.others.map(row)}
    </TableFrame>
  );
}

interface RowProps {
  editor: BotDraftEditor;
  row: MatrixRow;
  profile: CapabilityProfile;
}

/** The path of the entry that decides a row: its own entry or a pattern's. */
function placeOf({ name, allow, deny }: MatrixRow, profile: CapabilityProfile): Path {
  const entry = (list: "allow" | "deny", cell: MatrixRow["allow"]) =>
    (profile[list] ?? []).indexOf(cell.isListed ? name : (cell.by ?? ""));
  const [denied, allowed] = [entry("deny", deny), entry("allow", allow)];
  if (denied >= 0) return ["capabilityProfile", "deny", denied];
  return allowed >= 0 ? ["capabilityProfile", "allow", allowed] : ["capabilityProfile"];
}

function Row({ editor, row, profile }: RowProps) {
  return (
    <tr class={row.standing === undefined ? "group" : undefined} {...pointsAt(placeOf(row, profile))}>
      <th scope="row">
        <code class="intent">{row.name}</code>
      </th>
      <PatternCell editor={editor} row={row} list="allow" />
      <PatternCell editor={editor} row={row} list="deny" />
      <td class="nowrap">
        <Standing row={row} isObserved={profile.mode === "observe"} />
      </td>
    </tr>
  );
}

function PatternCell({
  editor,
  row,
  list,
}: {
  editor: BotDraftEditor;
  row: MatrixRow;
  list: "allow" | "deny";
}) {
  const { isListed, by } = row[list];
  const says = `${list === "allow" ? "Allow" : "Deny"} ${row.name}`;
  if (!isListed && by !== undefined)
    return (
      <td class={`cell ${list}`}>
        <span class="by">by {by}</span>
      </td>
    );
  const toggle = (isOn: boolean) => write(editor, setPattern(editor.sound.peek(), list, row.name, isOn));
  return (
    <td class={`cell ${list}`}>
      <label>
        <input
          type="checkbox"
          checked={isListed}
          aria-label={says}
          disabled={whyFormsOff(editor) !== undefined}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
      </label>
    </td>
  );
}

function Standing({ row, isObserved }: { row: MatrixRow; isObserved: boolean }) {
  if (row.standing === undefined) return null;
  const { standing, allow } = row;
  if (standing === "allowed") return <Badge outcome="answered" />;
  const isOverruled = standing === "denied" && (allow.isListed || allow.by !== undefined);
  const why = standing === "unlisted" ? "on neither list" : isOverruled ? "deny wins" : undefined;
  return (
    <Fragment>
      {isObserved ? (
        <Badge outcome="answered" says="Observed: would be refused" />
      ) : (
        <Badge outcome="refused" />
      )}{" "}
      {why !== undefined && <span class="by">{why}</span>}
    </Fragment>
  );
}
