import { type ComponentChildren, Fragment, h } from "preact";

import type { ReceiptView } from "../../domain/operator/conversations.ts";
import { Badge } from "../parts/badge.tsx";
import { Notice } from "../parts/states.tsx";
import { Sentence, VisitorText } from "../parts/text.tsx";
import { counted, milliseconds } from "../words/numbers.ts";
import { Quote } from "./quote.tsx";
import { Candidates, ClosestIntents, Scores } from "./scores.tsx";

/** A line of facts: name and value. */
export type Fact = readonly [name: string, value: ComponentChildren];

interface ReceiptProps {
  view: ReceiptView;
  /** The message; undefined if it is not stored. */
  text: string | undefined;
  /** A label for a decision that was not carried out, such as `Would be refused`. */
  says?: string;
  facts?: readonly Fact[];
}

/** The receipt of a message: verdict, text, scores, intents or candidates, steps and facts. */
export function Receipt({ view, text, says, facts = [] }: ReceiptProps) {
  return (
    <div class="receipt">
      <Verdict view={view} says={says} />
      <Quote text={text} view={view} />
      <Scores scores={view.scores} />
      {view.candidates === undefined ? <ClosestIntents view={view} /> : <Candidates view={view} />}
      <Steps steps={view.steps} />
      <Facts facts={[...factsOf(view), ...facts]} />
      {view.advice !== undefined && (
        <Notice title="What you can do">
          <p>
            <Sentence text={view.advice} />
          </p>
        </Notice>
      )}
    </div>
  );
}

function Verdict({ view, says }: { view: ReceiptView; says: string | undefined }) {
  const { outcome, reason, rule, verdict, intent } = view;
  return (
    <div class="verdict">
      <div class="line">
        <Badge outcome={outcome} {...(says !== undefined && { says })} />
        {reason !== null && <span class="reason">{reason}</span>}
        <span class="reason">{rule}</span>
      </div>
      <p>{withStrong(verdict, intent)}</p>
    </div>
  );
}

/** The sentence with the intent's name in bold. */
function withStrong(sentence: string, intent: string | null): ComponentChildren {
  const at = intent === null ? -1 : sentence.indexOf(intent);
  if (at < 0) return sentence;
  const end = at + intent!.length;
  return (
    <Fragment>
      {sentence.slice(0, at)}
      <b>{intent}</b>
      {sentence.slice(end)}
    </Fragment>
  );
}

const RESULTS = { passed: "passed", decided: "decided", "not-reached": "not reached" } as const;
const STEP_CLASSES = { passed: undefined, decided: "decides", "not-reached": "skipped" } as const;

/** From this number on, steps that were not reached are folded. */
const FOLDED_FROM = 4;

type Step = ReceiptView["steps"][number];

function Steps({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  const reached = steps.filter(({ result }) => result !== "not-reached");
  const isFolded = steps.length - reached.length >= FOLDED_FROM;
  const rest = steps.filter(({ result }) => result === "not-reached");
  return (
    <section class="section" aria-labelledby="r-steps">
      <h3 id="r-steps">Steps of the decision</h3>
      <ol class="steps">
        {(isFolded ? reached : steps).map((step) => (
          <StepLine key={step.step} step={step} />
        ))}
      </ol>
      {isFolded && (
        <details class="small faint">
          <summary>{rest.length} more, not reached</summary>
          <ul>
            {rest.map(({ step }) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function StepLine({ step: { step, result, detail } }: { step: Step }) {
  return (
    <li class={STEP_CLASSES[result]}>
      <span>{step}</span>
      <span class="num">{detail ?? RESULTS[result]}</span>
    </li>
  );
}

/** Facts of the view itself. */
function factsOf({ about, nearest, passages, action, model, agrees, encoderGone }: ReceiptView): Fact[] {
  return [
    ...(about === undefined ? [] : [["About", <bdi key="about">{about}</bdi>] as const]),
    ...(encoderGone === undefined
      ? []
      : [["Replayed", `without the encoder of that time, which is not available: ${encoderGone}`] as const]),
    ...(agrees === undefined
      ? []
      : [["Replayed", agrees ? "the result is the same" : "the result is different now"] as const]),
    ...(nearest === null
      ? []
      : [
          [
            "Most similar",
            <Fragment key="nearest">
              “<VisitorText text={nearest.text} />” of <code class="intent">{nearest.intent}</code>,{" "}
              {nearest.likeness.toFixed(2)} similarity
            </Fragment>,
          ] as const,
        ]),
    ...(passages.length === 0
      ? []
      : [
          [
            "Searched",
            passages.map(({ title, score }) => (
              <div key={title}>
                <bdi>{title}</bdi>, {score.toFixed(2)}
              </div>
            )),
          ] as const,
        ]),
    ...(action === undefined
      ? []
      : [["Action", action.map((line) => <div key={line}>{line.replaceAll("`", "")}</div>)] as const]),
    ...(model === undefined ? [] : [["Model", modelWords(model)] as const]),
  ];
}

function modelWords({
  calls,
  promptTokens,
  completionTokens,
  rejected,
}: NonNullable<ReceiptView["model"]>): string {
  const said = calls.map(
    ({ model, result, milliseconds: took }) => `${model} ${result} in ${milliseconds(took)}`,
  );
  const fault = rejected === undefined ? "" : `; its wording was rejected: ${rejected}`;
  return `${said.join(", ")}; ${counted(promptTokens + completionTokens, "token")}${fault}`;
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
