import { useEffect, useState } from "preact/hooks";

import { Markdown } from "../markdown/markdown.tsx";
import type { ParleyStatus } from "../public.d.ts";
import { useScope, useWords } from "./context.ts";

const LONG_WAIT_MS = 5000;

/** The answer while it is under way. It stands outside the log, so that only the whole of it is announced. */
export function Progress({ status }: { status: ParleyStatus }) {
  const { strings } = useScope();
  if (status.kind === "waiting") return <Typing />;
  if (status.kind !== "streaming") return null;
  return (
    <div class="answer" aria-hidden="true">
      <div class="prose streaming" dir="auto">
        <Markdown text={status.text} labels={strings} />
      </div>
    </div>
  );
}

function Typing() {
  const words = useWords();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setLong, LONG_WAIT_MS, true);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="typing" aria-hidden="true">
      <i />
      <i />
      <i />
      {long && <span>{words("working")}</span>}
    </div>
  );
}
