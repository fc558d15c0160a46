import { Fragment, h } from "preact";

import type { BotReviewResult, IntentOverlap } from "../../../domain/operator/bots.ts";
import { askStream } from "../../api/client.ts";
import { stepInWords } from "../../change/what-would-change.tsx";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { useWork } from "../../draft/live-work.ts";
import { Bar } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Fault, Notice, Skeleton } from "../../parts/states.tsx";
import { TableFrame } from "../../parts/table.tsx";
import { Sentence, VisitorText } from "../../parts/text.tsx";
import { standingIn } from "../../teach/teaching.ts";
import { counted, percentSign } from "../../words/numbers.ts";
import { addExamples, editBot, intentAt } from "../../yaml/bot-edits.ts";
import { readValue } from "../../yaml/place.ts";
import { valueAt } from "../../yaml/plain.ts";
import { whyFormsOff, write } from "./form.tsx";

/** Pairs of intents that are mistaken for each other, from cross-validation of the examples. */
export function Overlaps({ editor }: { editor: BotDraftEditor }) {
  const { bot } = editor;
  const work = useWork(editor, (yaml, onStep, signal) =>
    askStream("POST /bots/:bot/review", { path: { bot }, body: { yaml } }, onStep, { signal }),
  );
  const [result, step, problem] = [work.result.value, work.step.value, work.problem.value];
  const isOld = work.isOld.value;
  return (
    <section class="section" aria-labelledby="h-overlaps">
      <header>
        <h2 id="h-overlaps">Intents that overlap</h2>
        <span class="end faint" role="status">
          {step !== undefined
            ? stepInWords(step)
            : result && result.judged > 0 && `cross-validated, ${counted(result.judged, "example")}`}
        </span>
      </header>
      {problem?.code === "INVALID_REQUEST" && (
        <p class="dim">Not cross-validated: correct the errors first.</p>
      )}
      {problem && problem.code !== "INVALID_REQUEST" && (
        <Fault
          what="The examples could not be cross-validated"
          problem={problem}
          retry={() => work.again()}
        />
      )}
      {result === undefined && step !== undefined && <Skeleton what="the overlaps" lines={["w9", "w6"]} />}
      {result && (
        <div class={`section gap ${isOld ? "old" : ""}`} aria-busy={isOld}>
          <Reviewed editor={editor} result={result} />
        </div>
      )}
    </section>
  );
}

function Reviewed({ editor, result }: { editor: BotDraftEditor; result: BotReviewResult }) {
  const { overlaps, judged, right, documents, next, warnings } = result;
  return (
    <Fragment>
      {judged > 0 && (
        <p class="dim">
          {percentSign(right / judged)} of the examples were matched to their intent by a model trained
          without them
          {documents > 0 && `, and ${percentSign(documents / judged)} were answered from documents`}. {next}
        </p>
      )}
      {judged === 0 && (
        <p class="dim">
          <Sentence text={next} />
        </p>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} kind="look" title={<Sentence text={warning} />} />
      ))}
      {overlaps.map((overlap) => (
        <Shadowed key={overlap.intents.join(" ")} editor={editor} overlap={overlap} />
      ))}
      {overlaps.length > 0 && <OverlapTable editor={editor} overlaps={overlaps} />}
    </Fragment>
  );
}

const isAllowed = (editor: BotDraftEditor, intent: string) =>
  standingIn(editor.sound.value, intent).standing === "allowed";

/** One of the two is refused and the other answered, so a message that should be refused may be answered. */
const isRisky = (editor: BotDraftEditor, [one, other]: IntentOverlap["intents"]) =>
  isAllowed(editor, one) !== isAllowed(editor, other);

function Shadowed({ editor, overlap }: { editor: BotDraftEditor; overlap: IntentOverlap }) {
  const { intents, confused, total, examplesToMove } = overlap;
  if (!isRisky(editor, intents)) return null;
  return (
    <Notice kind="look" title="Messages of a refused intent may be answered by another one">
      <p>
        {confused} of {total} examples of <code class="intent">{intents[0]}</code> and{" "}
        <code class="intent">{intents[1]}</code> are mistaken for the other.
      </p>
      {examplesToMove.map((move) => (
        <Fragment key={move.text}>
          <p class="quote">
            <VisitorText text={move.text} />
          </p>
          <div class="actions">
            <Button
              disabled={whyFormsOff(editor) !== undefined}
              onClick={() => write(editor, moved(editor, move))}
            >
              Move to {move.to}
            </Button>
          </div>
        </Fragment>
      ))}
    </Notice>
  );
}

type Move = IntentOverlap["examplesToMove"][number];

/** The draft with an example moved to the other intent. */
function moved(editor: BotDraftEditor, { text, from, to }: Move): string | undefined {
  const yaml = editor.sound.peek();
  const intent = intentAt(yaml, from);
  const path = ["intents", intent, "examples"];
  const examples = valueAt(readValue(yaml), path);
  const at = Array.isArray(examples) ? examples.indexOf(text) : -1;
  const without = at < 0 ? yaml : editBot(yaml, { kind: "remove", path: [...path, at] });
  return without === undefined ? undefined : addExamples(without, to, [text]);
}

function OverlapTable({ editor, overlaps }: { editor: BotDraftEditor; overlaps: readonly IntentOverlap[] }) {
  const most = Math.max(...overlaps.map(({ confused, total }) => confused / total));
  return (
    <TableFrame
      label="Pairs of intents"
      heads={{ Pair: "", "Share as a bar": "no-phone vh", Mistaken: "num" }}
    >
      {overlaps.map(({ intents, confused, total }) => (
        <tr key={intents.join(" ")}>
          <th scope="row">
            <code class="intent">{intents[0]}</code> and <code class="intent">{intents[1]}</code>
          </th>
          <td class="bar-cell no-phone">
            <Bar share={confused / total / most} kind={isRisky(editor, intents) ? "refused" : "quiet"} />
          </td>
          <td class="num">
            {confused} of {total}
          </td>
        </tr>
      ))}
    </TableFrame>
  );
}
