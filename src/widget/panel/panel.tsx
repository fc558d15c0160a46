import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer.tsx";
import { useScope, useSession, useWords } from "./context.ts";
import { Header } from "./header.tsx";
import { Transcript } from "./transcript.tsx";

/** Lets the loader put the focus where the visitor can start. */
export interface FocusTarget {
  focus(): void;
}

export function Panel({ target }: { target: FocusTarget }) {
  const { shell } = useScope();
  const session = useSession();
  const input = useRef<HTMLTextAreaElement>(null);
  const notice = useRef<HTMLParagraphElement>(null);
  const [draft, setDraft] = useDraft();
  const messages = session.messages();
  const status = session.status();
  const ask = useCallback((text: string) => {
    session.send(text);
    input.current?.focus();
  }, []);
  target.focus = () => (input.current ?? notice.current)?.focus({ preventScroll: true });

  function restart(): void {
    session.reset();
    input.current?.focus();
  }

  return (
    <section class="chat" {...(shell.options.container ? {} : { role: "dialog" })} aria-label={shell.config.botName}>
      <Header onRestart={messages.length > 0 ? restart : undefined} />
      <Transcript messages={messages} status={status} onAsk={ask} onRetry={session.retry} />
      {status.kind === "capped" ? (
        <CapNotice until={status.until} notice={notice} />
      ) : (
        <Composer
          status={status}
          draft={draft}
          input={input}
          onDraft={setDraft}
          onStop={session.stop}
          onSend={() => {
            const text = draft;
            setDraft("");
            session.send(text);
          }}
        />
      )}
      {shell.config.poweredByRequired && <PoweredBy />}
      <Announcer status={status} />
    </section>
  );
}

/** What the visitor is writing. A message that was not accepted comes back into an empty composer. */
function useDraft(): [string, (text: string) => void] {
  const { session } = useScope();
  const [draft, setDraft] = useState("");
  const restored = useRef<string | undefined>(undefined);
  const status = session.status();
  useEffect(() => {
    const question = session.messages().at(-1);
    if (status.kind === "failed" && question?.role === "visitor" && draft === "") {
      restored.current = question.text;
      setDraft(question.text);
    }
    if (status.kind === "idle" && restored.current !== undefined) {
      if (draft === restored.current) setDraft("");
      restored.current = undefined;
    }
  }, [status.kind]);
  return [draft, setDraft];
}

function CapNotice({ until, notice }: { until: number; notice: RefObject<HTMLParagraphElement | null> }) {
  const words = useWords();
  const { language } = useScope().shell.options;
  const date = new Intl.DateTimeFormat(language, { day: "numeric", month: "long" }).format(until);
  useEffect(() => notice.current?.focus({ preventScroll: true }), []);
  return (
    <p class="cap" role="status" tabIndex={-1} ref={notice}>
      {words("capped", { date })}
    </p>
  );
}

function PoweredBy() {
  const words = useWords();
  return <p class="powered">{words("poweredBy", { name: "Parley" })}</p>;
}
