import { Fragment, h } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { TryResult } from "../../../domain/operator/conversations.ts";
import type { Outcome } from "../../../domain/operator/overview.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { wayBack } from "../../draft/open-drafts.ts";
import { useKeys } from "../../keys.ts";
import { GuardedButton, whyOff } from "../../parts/button.tsx";
import { Empty, Fault, Notice } from "../../parts/states.tsx";
import { Receipt } from "../../receipt/receipt.tsx";
import { say, sayFault } from "../../toasts.ts";
import { milliseconds } from "../../words/numbers.ts";
import { addTest } from "../../yaml/bot-edits.ts";
import type { Replies, Reply, TryChat, Versions } from "./exchange.ts";

/** The text is checked after a pause of this length in typing. */
const PAUSE_MS = 200;

interface LiveReceiptProps {
  editor: BotDraftEditor;
  chat: TryChat;
  versions: Versions;
  typed: string;
  chosen: number | undefined;
}

interface Shown extends Replies {
  text: string;
}

/** The receipt of the text being typed, else of the selected or latest message. */
export function LiveReceipt({ editor, chat, versions, typed, chosen }: LiveReceiptProps) {
  const draft = useTyped(chat, versions, typed.trim(), editor.sound.value);
  const exchanges = chat.exchanges.value;
  const exchange = exchanges[chosen ?? exchanges.length - 1];
  const isLive = typed.trim() !== "" && chosen === undefined;
  const shown: Shown | undefined = isLive ? draft : exchange && { text: exchange.input, ...exchange };
  const main = shown?.draft ?? shown?.live;
  const took = main?.kind === "answered" ? main.result.tookMs : undefined;
  return (
    <section class="pane quiet" aria-labelledby="h-r" tabIndex={0}>
      <div class="pane-head">
        <h2 id="h-r">Receipt</h2>
        {isLive && (
          <span class="end small faint live">
            as you type{took !== undefined && `, ${milliseconds(took)}`}
          </span>
        )}
      </div>
      {shown === undefined ? (
        <Empty title="Type a message">
          <p>
            While you type, the decision and its reasons are shown here. Model servers are asked only when you
            send.
          </p>
        </Empty>
      ) : (
        <Sides shown={shown} isLive={isLive} version={editor.published.value!.version} />
      )}
      {shown && main?.kind === "answered" && (
        <KeepAsTest editor={editor} text={shown.text} result={main.result} />
      )}
    </section>
  );
}

/** The decision of each version for the typed text. The earlier answer stays until the new one arrives. */
function useTyped(chat: TryChat, versions: Versions, text: string, yaml: string): Shown | undefined {
  const [shown, setShown] = useState<Shown>();
  const exchanges = chat.exchanges.value;
  useEffect(() => {
    if (text === "") {
      setShown(undefined);
      return undefined;
    }
    const controller = new AbortController();
    const judge = async () => {
      const replies = await chat.judge(text, versions, yaml, controller.signal);
      if (!controller.signal.aborted) setShown({ text, ...replies });
    };
    const timer = setTimeout(() => void judge(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [chat, versions, text, yaml, exchanges]);
  return shown;
}

function Sides({ shown, isLive, version }: { shown: Shown; isLive: boolean; version: number }) {
  const { text, live, draft } = shown;
  const isTwin = live !== undefined && draft !== undefined;
  return (
    <Fragment>
      {live && (
        <Fragment>
          {isTwin && <h3>Live, version {version}</h3>}
          <One reply={live} text={text} isLive={isLive} />
        </Fragment>
      )}
      {draft && (
        <Fragment>
          {isTwin && <h3 class="second">Draft {version + 1}</h3>}
          <One reply={draft} text={text} isLive={isLive} />
        </Fragment>
      )}
    </Fragment>
  );
}

const WOULD: Readonly<Record<Outcome, string>> = {
  answered: "Would be answered",
  asked: "Would ask a clarifying question",
  unmatched: "Would not be understood",
  refused: "Would be refused",
  failed: "Would fail",
};

function One({ reply, text, isLive }: { reply: Reply; text: string; isLive: boolean }) {
  if (reply.kind === "failed")
    return <Fault what="The message could not be checked" problem={reply.problem} />;
  const { receipt, outcome, wouldAsk = [] } = reply.result;
  if (!isLive) return <Receipt view={receipt} text={text} />;
  const isForModel = outcome === "answered" && wouldAsk.includes("answer");
  return (
    <Fragment>
      <Receipt view={receipt} text={text} says={isForModel ? "A model would answer" : WOULD[outcome]} />
      {wouldAsk.includes("intent") && (
        <Notice title="Decided without a model">
          <p>When you send it, a model is asked about the intent too and may decide differently.</p>
        </Notice>
      )}
    </Fragment>
  );
}

/** Saves the current decision as the expected one. */
function KeepAsTest({ editor, text, result }: { editor: BotDraftEditor; text: string; result: TryResult }) {
  const keep = () => {
    const { intent, receipt } = result;
    const reason = receipt.reason;
    const decision =
      reason === "DENY_LIST" || reason === "NOT_IN_ALLOW_LIST" || reason === "no_intent_match"
        ? reason
        : ("allowed" as const);
    const edited = addTest(editor.sound.peek(), { utterance: text, intent, decision });
    if (edited === undefined) {
      sayFault("The tests of this draft can only be edited in the YAML. Add it there.");
      return;
    }
    say("Saved as a test in the draft.", wayBack(editor, editor.edit(edited)));
  };
  const isOff = whyOff("bots.write") !== undefined || !editor.isSound.value;
  useKeys([{ key: "t", says: "save as a test", run: () => !isOff && keep() }]);
  return (
    <div class="actions">
      <GuardedButton permission="bots.write" keyName="t" onClick={keep} disabled={!editor.isSound.value}>
        Save as a test
      </GuardedButton>
    </div>
  );
}
