import { Fragment, h } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { Answer, Beneath } from "../../parts/answer.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button, whyOff } from "../../parts/button.tsx";
import { Check } from "../../parts/fields.tsx";
import { VisitorText } from "../../parts/text.tsx";
import { readValue } from "../../yaml/place.ts";
import { isFields, valueAt } from "../../yaml/plain.ts";
import { type Exchange, isSameReply, type Reply, type TryChat, type Versions } from "./exchange.ts";

interface ChatProps {
  editor: BotDraftEditor;
  chat: TryChat;
  versions: Versions;
  typed: string;
  onType: (text: string) => void;
  /** The turn whose receipt is shown; undefined: the text being typed, or else the latest turn. */
  chosen: number | undefined;
  onChoose: (turn: number | undefined) => void;
}

/** The chat: messages, the answers of each version, and the text field. */
export function Chat(props: ChatProps) {
  const { editor, chat, versions, typed, onType, chosen, onChoose } = props;
  const exchanges = chat.exchanges.value;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [exchanges]);
  const send = (text: string) => {
    if (text.trim() === "" || chat.isAsking.peek()) return;
    onType("");
    onChoose(undefined);
    void chat.say(text.trim(), versions, editor.sound.peek());
  };
  return (
    <section class="pane chat" aria-labelledby="h-chat" tabIndex={0}>
      <h2 id="h-chat" class="vh">
        The chat
      </h2>
      <div class="transcript" aria-live="polite">
        {exchanges.map((exchange, at) => (
          <Turn
            key={at}
            exchange={exchange}
            versions={editor.published.value!.version}
            isOpen={chosen === at}
            onOpen={() => onChoose(at)}
            onAsk={at === exchanges.length - 1 ? send : undefined}
          />
        ))}
        <div ref={end} />
      </div>
      <div class="chat-foot">
        <CallsSwitch editor={editor} chat={chat} versions={versions} />
        <TestChips editor={editor} onChoose={onType} />
        <form
          class="composer"
          onSubmit={(event) => {
            event.preventDefault();
            send(typed);
          }}
        >
          <label class="vh" for="say">
            Your message
          </label>
          <textarea
            id="say"
            rows={1}
            dir="auto"
            data-search
            value={typed}
            onInput={(event) => onType(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              send(typed);
            }}
          />
          <Button kind="primary" type="submit" keyName="↵" disabled={typed.trim() === ""}>
            Send
          </Button>
        </form>
      </div>
    </section>
  );
}

/** Whether endpoints are really called; nothing where the bot has no action. */
function CallsSwitch({ editor, chat, versions }: Pick<ChatProps, "editor" | "chat" | "versions">) {
  const texts = [editor.sound.value, editor.published.value!.yaml];
  const hasActions = useMemo(() => texts.some(hasAction), texts);
  if (!hasActions) return null;
  const off =
    versions === "both"
      ? "Both versions would carry out an action twice. Choose one version to call endpoints."
      : whyOff("bots.write");
  const isOn = off === undefined && chat.callsEndpoints.value;
  const toggle = () => {
    chat.callsEndpoints.value = !isOn;
  };
  return (
    <div class="filters">
      <Check isOn={isOn} isOff={off !== undefined} onChange={toggle}>
        Call endpoints
      </Check>
      <span class={isOn ? "small worse" : "small faint"} role="status">
        {isOn
          ? "Actions are really carried out."
          : (off ?? "Endpoints are not called; the request is shown instead.")}
      </span>
    </div>
  );
}

function hasAction(text: string): boolean {
  const intents = valueAt(readValue(text), ["intents"]);
  return Array.isArray(intents) && intents.some((intent) => valueAt(intent, ["action"]) !== undefined);
}

/** Number of test messages offered as a start. */
const MAX_CHIPS = 4;

function TestChips({ editor, onChoose }: { editor: BotDraftEditor; onChoose: (text: string) => void }) {
  const tests = valueAt(readValue(editor.sound.value), ["tests"]);
  const texts = (Array.isArray(tests) ? tests : []).flatMap((test) =>
    isFields(test) && typeof test["utterance"] === "string" ? [test["utterance"]] : [],
  );
  if (texts.length === 0) return null;
  return (
    <div class="filters">
      <span class="small faint">Try</span>
      {texts.slice(0, MAX_CHIPS).map((text) => (
        <button key={text} class="chip" type="button" title={text} onClick={() => onChoose(text)}>
          <VisitorText text={text} />
        </button>
      ))}
    </div>
  );
}

interface TurnProps {
  exchange: Exchange;
  /** The live version. */
  versions: number;
  isOpen: boolean;
  onOpen: () => void;
  /** Sends the text of a button below the latest answer. */
  onAsk: ((input: string) => void) | undefined;
}

function Turn({ exchange, versions, isOpen, onOpen, onAsk }: TurnProps) {
  const { input, live, draft } = exchange;
  const isTwin = live !== undefined && draft !== undefined;
  const isSame = isTwin && isSameReply(live, draft);
  const one = live ?? draft;
  return (
    <article class="turn" aria-current={isOpen ? "true" : undefined}>
      <p class="said" dir="auto">
        <VisitorText text={input} />
      </p>
      {one === undefined && <p class="small faint">…</p>}
      {isTwin && !isSame ? (
        <Fragment>
          <div class="twin">
            <Side says={`Live, version ${versions}`} reply={live} onAsk={onAsk} />
            <Side says={`Draft ${versions + 1}`} reply={draft} onAsk={onAsk} />
          </div>
          <p class="meta">
            <span class="strong">The draft decides differently</span>
            <Opener says="Both receipts" onOpen={onOpen} />
          </p>
        </Fragment>
      ) : (
        one && (
          <Fragment>
            <div class="replied">
              <Words reply={one} onAsk={onAsk} />
            </div>
            <p class="meta">
              <Outcome reply={one} />
              {isSame && <span>the same in both</span>}
              <Opener says="Receipt" onOpen={onOpen} />
            </p>
          </Fragment>
        )
      )}
    </article>
  );
}

function Opener({ says, onOpen }: { says: string; onOpen: () => void }) {
  return (
    <button class="link end" type="button" onClick={onOpen}>
      {says}
    </button>
  );
}

function Side({ says, reply, onAsk }: { says: string; reply: Reply } & Pick<TurnProps, "onAsk">) {
  return (
    <div>
      <h3>{says}</h3>
      <Words reply={reply} onAsk={onAsk} />
      <p class="meta small">
        <Outcome reply={reply} />
      </p>
    </div>
  );
}

function Words({ reply, onAsk }: { reply: Reply } & Pick<TurnProps, "onAsk">) {
  if (reply.kind === "failed") return <p class="worse">{reply.problem.message}</p>;
  const { response, metadata, receipt } = reply.result;
  return (
    <Fragment>
      <Answer text={response} />
      <Beneath metadata={metadata} about={receipt.about} {...(onAsk && { onAsk })} />
    </Fragment>
  );
}

function Outcome({ reply }: { reply: Reply }) {
  if (reply.kind === "failed") return <Badge outcome="failed" />;
  const { outcome, intent } = reply.result;
  return (
    <Fragment>
      <Badge outcome={outcome} /> {intent !== null && <code class="intent">{intent}</code>}
    </Fragment>
  );
}
