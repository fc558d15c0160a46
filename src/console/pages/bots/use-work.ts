import { useEffect, useState } from "preact/hooks";

import type { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";
import type { PreviewStep } from "../../draft/live-preview.ts";

/** Work starts again after a pause of this length in editing. */
const PAUSE_MS = 600;

export interface TextWork<Result> {
  result: Result | undefined;
  /** The result belongs to a text before the latest edit. */
  isOld: boolean;
  step: PreviewStep | undefined;
  problem: Problem | undefined;
  again: () => void;
}

type Run<Result> = (
  text: string,
  onStep: (step: PreviewStep) => void,
  signal: AbortSignal,
) => Promise<Result>;

/** Runs work on a text again after each edit. The earlier result stays until the new one arrives. */
export function useWork<Result>(text: string, run: Run<Result>): TextWork<Result> {
  const [held, setHeld] = useState<{ text: string; result: Result }>();
  const [step, setStep] = useState<PreviewStep>();
  const [problem, setProblem] = useState<Problem>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const whileWanted =
      <Value>(change: (value: Value) => void) =>
      (value: Value) => {
        if (!controller.signal.aborted) change(value);
      };
    const start = async () => {
      setProblem(undefined);
      setStep({ step: "reading", done: 0, of: 1 });
      try {
        const result = await run(text, whileWanted(setStep), controller.signal);
        whileWanted(setHeld)({ text, result });
      } catch (error) {
        whileWanted(setProblem)(asProblem(error));
      }
      whileWanted(setStep)(undefined);
    };
    const timer = setTimeout(() => void start(), held === undefined ? 0 : PAUSE_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [text, round]);
  return {
    result: held?.result,
    isOld: held !== undefined && held.text !== text,
    step,
    problem,
    again: () => setRound(round + 1),
  };
}
