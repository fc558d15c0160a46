import { h } from "preact";

import type { ParleyStatus } from "../public.d.ts";
import { Icon } from "./icons.tsx";
import type { PanelView } from "./view.ts";

/** Under the visitor's message: why it has no answer, and what can be done. */
export function Notice({ view }: { view: PanelView }) {
  const status = view.session.status();
  if (status.kind === "failed") return <Failure view={view} failure={status} />;
  if (status.kind === "queued") {
    return (
      <p class="under" role="status">
        {view.words("queued")}
      </p>
    );
  }
  if (status.kind !== "unreachable") return null;
  return (
    <p class="under" role="alert">
      {view.words("notSent")} <Retry view={view} />
    </p>
  );
}

function Retry({ view }: { view: PanelView }) {
  const retry = () => {
    view.session.retry();
    view.input?.focus();
  };
  return (
    <button type="button" class="text-button" onClick={retry}>
      {view.words("tryAgain")}
    </button>
  );
}

interface FailureProps {
  view: PanelView;
  failure: Extract<ParleyStatus, { kind: "failed" }>;
}

function Failure({ view, failure }: FailureProps) {
  const rejected = view.session.messages().at(-1)?.rejected;
  const sentence = !rejected ? "failed" : failure.code === "INVALID_REQUEST" ? "rejected" : "unavailable";
  return (
    <div class="failure" role="alert">
      <Icon name="alert" />
      <div>
        <p>{view.words(sentence)}</p>
        {!rejected && <Retry view={view} />}
        {failure.requestId && <p class="aside">{view.words("reference", { id: failure.requestId })}</p>}
      </div>
    </div>
  );
}
