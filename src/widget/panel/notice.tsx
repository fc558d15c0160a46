import { Fragment, h } from "preact";

import type { ParleyMessage, ParleyStatus } from "../public.d.ts";
import { Icon } from "./icons.tsx";
import { limitSentence, type PanelView } from "./view.ts";

/** Under the visitor's last message: the reason why it has no answer, and a retry button where one helps. */
export function Notice({ view }: { view: PanelView }) {
  const status = view.session.status();
  const last = view.session.openQuestion();
  if (!last) return null;
  if (status.kind === "failed") return <Failure view={view} failure={status} message={last} />;
  // A partial answer is below the message and has its own note.
  if (last !== view.session.messages().at(-1)) return null;
  if (status.kind === "queued") {
    return (
      <p class="under" role="status">
        {view.words("queued")} <Remove view={view} message={last} />
      </p>
    );
  }
  if (status.kind === "limited") return <Countdown view={view} until={status.until} message={last} />;
  if (status.kind !== "unreachable") return null;
  return (
    <p class="under" role="alert">
      <NotSent view={view} message={last} />
    </p>
  );
}

interface MessageProps {
  view: PanelView;
  message: ParleyMessage;
}

/** Visible countdown; `transitions.ts` announces its start and its end. */
function Countdown({ view, message, until }: MessageProps & { until: number }) {
  return (
    <p class="under">
      <span class="countdown" aria-hidden="true">
        {limitSentence(view, until)}
      </span>{" "}
      <Remove view={view} message={message} />
    </p>
  );
}

/** Note that a message was not sent, with buttons to retry and to delete it. */
export function NotSent({ view, message }: MessageProps) {
  return (
    <Fragment>
      {view.words("notSent")} <Retry view={view} message={message} />
      {" · "}
      <Remove view={view} message={message} />
    </Fragment>
  );
}

export function Retry({ view, message }: MessageProps) {
  const retry = () => {
    view.session.retry(message.id);
    view.focusInput();
  };
  return (
    <button type="button" class="text-button" onClick={retry}>
      {view.words("tryAgain")}
    </button>
  );
}

function Remove({ view, message }: MessageProps) {
  const remove = () => {
    view.session.remove(message.id);
    view.focusInput();
  };
  return (
    <button type="button" class="text-button" onClick={remove}>
      {view.words("remove")}
    </button>
  );
}

interface FailureProps extends MessageProps {
  failure: Extract<ParleyStatus, { kind: "failed" }>;
}

function Failure({ view, failure, message }: FailureProps) {
  return (
    <div class="failure" role="alert">
      <Icon name="alert" />
      <div>
        <p>{reason(view, failure.code, message)}</p>
        <p class="ways">
          {!message.rejected && <Retry view={view} message={message} />}
          <Remove view={view} message={message} />
        </p>
        {failure.requestId && <p class="aside">{view.words("reference", { id: failure.requestId })}</p>}
      </div>
    </div>
  );
}

function reason(view: PanelView, code: string, { rejected, maxLength, text }: ParleyMessage): string {
  if (!rejected) return view.words("failed");
  if (code !== "INVALID_REQUEST") return view.words("unavailable");
  if (maxLength === undefined) return view.words("rejected");
  const number = new Intl.NumberFormat(view.formats);
  const length = number.format(Array.from(text).length);
  return view.words("tooLong", { length, limit: number.format(maxLength) });
}
