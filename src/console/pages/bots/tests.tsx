import { Fragment, h } from "preact";
import { useState } from "preact/hooks";

import type { TestOutcome } from "../../../domain/operator/bots.ts";
import { askStream } from "../../api/client.ts";
import { FailedTests } from "../../change/test-results.tsx";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { useWork } from "../../draft/live-work.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Choice, Input } from "../../parts/fields.tsx";
import { Empty, Fault } from "../../parts/states.tsx";
import { TableFrame } from "../../parts/table.tsx";
import { VisitorText } from "../../parts/text.tsx";
import { intentNames } from "../../teach/teaching.ts";
import { counted } from "../../words/numbers.ts";
import { addTest, editBot } from "../../yaml/bot-edits.ts";
import { readValue } from "../../yaml/place.ts";
import { isFields, valueAt } from "../../yaml/plain.ts";
import { pointsAt, useBotValue, whyFormsOff, write } from "./form.tsx";

/** Test messages with their expected decision and the actual one. */
export function Tests({ editor }: { editor: BotDraftEditor }) {
  const { bot } = editor;
  const value = valueAt(useBotValue(editor), ["tests"]);
  const tests = Array.isArray(value) ? value.filter(isFields) : [];
  const work = useWork(editor, async (yaml, onStep, signal) => {
    if (valueAt(readValue(yaml), ["tests"]) === undefined) return [];
    const input = { path: { bot }, body: { yaml } };
    return (await askStream("POST /bots/:bot/tests", input, onStep, { signal })).tests;
  });
  const [result, step, problem] = [work.result.value, work.step.value, work.problem.value];
  const results = work.isOld.value ? undefined : result;
  return (
    <section class="section" aria-labelledby="h-tests">
      <header>
        <h2 id="h-tests">Tests</h2>
        <span class="end" role="status">
          {step === undefined ? <Sums results={results ?? []} /> : <span class="faint">{step.step} …</span>}
        </span>
      </header>
      {problem && <Fault what="The tests could not be run" problem={problem} retry={() => work.again()} />}
      {results && <FailedTests tests={results.filter(({ passed }) => !passed)} />}
      {tests.length === 0 ? (
        <Empty title="No tests yet">
          <p>Save messages whose answers must not change. They are checked before every publication.</p>
        </Empty>
      ) : (
        <TestTable editor={editor} tests={tests} results={results} />
      )}
      <AddTest editor={editor} />
    </section>
  );
}

function Sums({ results }: { results: readonly TestOutcome[] }) {
  if (results.length === 0) return null;
  const passed = results.filter((result) => result.passed).length;
  const word = passed === results.length ? "better" : "worse";
  return (
    <span class={word}>
      {passed} of {counted(results.length, "test")} pass
    </span>
  );
}

type Fields = Record<string, unknown>;

interface TestTableProps {
  editor: BotDraftEditor;
  tests: readonly Fields[];
  results: readonly TestOutcome[] | undefined;
}

function TestTable({ editor, tests, results }: TestTableProps) {
  const remove = (at: number) => {
    const path = tests.length === 1 ? ["tests"] : ["tests", at];
    write(editor, editBot(editor.sound.peek(), { kind: "remove", path }));
  };
  return (
    <TableFrame label="Tests of the bot" heads={{ Message: "wide", Expected: "", Result: "", Remove: "vh" }}>
      {tests.map((test, at) => (
        <tr key={at} {...pointsAt(["tests", at])}>
          <th scope="row">
            <Said test={test} />
          </th>
          <td>
            <Expected test={test} />
          </td>
          <td>
            <Verdict result={results?.find((result) => result.test === at + 1)} />
          </td>
          <td class="num">
            <Button kind="quiet" disabled={whyFormsOff(editor) !== undefined} onClick={() => remove(at)}>
              Remove
            </Button>
          </td>
        </tr>
      ))}
    </TableFrame>
  );
}

const turnsOf = (test: Fields): Fields[] =>
  Array.isArray(test["dialogue"]) ? test["dialogue"].filter(isFields) : [test];

function Said({ test }: { test: Fields }) {
  return (
    <Fragment>
      {turnsOf(test).map((turn, at) => (
        <span key={at} class={at === 0 ? undefined : "sub"}>
          <VisitorText text={typeof turn["utterance"] === "string" ? turn["utterance"] : ""} />
        </span>
      ))}
    </Fragment>
  );
}

/** The expectation; for a dialogue, that of its last turn. */
function Expected({ test }: { test: Fields }) {
  const { decision, intent, response } = turnsOf(test).at(-1) ?? {};
  return (
    <Fragment>
      {typeof decision === "string" && (
        <Badge
          outcome={
            decision === "allowed" ? "answered" : decision === "no_intent_match" ? "unmatched" : "refused"
          }
        />
      )}{" "}
      {typeof intent === "string" && <code class="intent">{intent}</code>}
      {typeof response === "string" && <span class="faint">the exact answer</span>}
    </Fragment>
  );
}

function Verdict({ result }: { result: TestOutcome | undefined }) {
  if (result === undefined) return <span class="faint">…</span>;
  return result.passed ? <span class="better">passes</span> : <span class="worse">fails</span>;
}

const DECISIONS = [
  ["", "any"],
  ["allowed", "answered"],
  ["DENY_LIST", "refused: denied"],
  ["NOT_IN_ALLOW_LIST", "refused: not on the allow list"],
  ["no_intent_match", "not understood"],
] as const;

type Decision = Exclude<(typeof DECISIONS)[number][0], "">;

function AddTest({ editor }: { editor: BotDraftEditor }) {
  const [utterance, setUtterance] = useState("");
  const [intent, setIntent] = useState("");
  const [decision, setDecision] = useState<"" | Decision>("");
  const isOff = whyFormsOff(editor) !== undefined || utterance.trim() === "" || intent + decision === "";
  const add = (event: Event) => {
    event.preventDefault();
    const test = {
      utterance: utterance.trim(),
      ...(intent !== "" && { intent }),
      ...(decision !== "" && { decision }),
    };
    write(editor, addTest(editor.sound.peek(), test));
    setUtterance("");
  };
  return (
    <form class="fields" onSubmit={add}>
      <div class="wide">
        <Input label="Message" value={utterance} onType={setUtterance} />
      </div>
      <Choice
        label="Expected intent"
        value={intent}
        options={[["", "any"], ...intentNames(editor.sound.value).map((name) => [name, name] as const)]}
        onChange={setIntent}
      />
      <Choice
        label="Expected decision"
        value={decision}
        options={DECISIONS}
        onChange={(value) => setDecision(value as "" | Decision)}
      />
      <div class="wide actions">
        <Button type="submit" disabled={isOff}>
          Add
        </Button>
      </div>
    </form>
  );
}
