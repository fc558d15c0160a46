import type { ParleyMessage, ParleyStatus } from "../public.d.ts";
import { useWords } from "./context.ts";
import { Icon } from "./icons.tsx";

interface NoticeProps {
  status: ParleyStatus;
  question: ParleyMessage | undefined;
  onRetry: () => void;
}

/** Under the visitor's message: why it has no answer, and what can be done. */
export function Notice({ status, question, onRetry }: NoticeProps) {
  const words = useWords();
  switch (status.kind) {
    case "queued":
      return (
        <p class="under" role="status">
          {words("queued")}
        </p>
      );
    case "unreachable":
      return (
        <p class="under" role="alert">
          {words("notSent")}{" "}
          <button type="button" class="text-button" onClick={onRetry}>
            {words("tryAgain")}
          </button>
        </p>
      );
    case "failed":
      return <Failure failure={status} rejected={question?.rejected === true} onRetry={onRetry} />;
    case "idle":
    case "waiting":
    case "streaming":
    case "limited":
    case "capped":
      return null;
  }
}

interface FailureProps {
  failure: Extract<ParleyStatus, { kind: "failed" }>;
  rejected: boolean;
  onRetry: () => void;
}

function Failure({ failure, rejected, onRetry }: FailureProps) {
  const words = useWords();
  const sentence = !rejected ? "failed" : failure.code === "INVALID_REQUEST" ? "rejected" : "unavailable";
  return (
    <div class="failure" role="alert">
      <Icon name="alert" />
      <div>
        <p>{words(sentence)}</p>
        {!rejected && (
          <button type="button" class="text-button" onClick={onRetry}>
            {words("tryAgain")}
          </button>
        )}
        {failure.requestId && <p class="aside">{words("reference", { id: failure.requestId })}</p>}
      </div>
    </div>
  );
}
