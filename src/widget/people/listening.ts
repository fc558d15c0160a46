import { follow } from "../../client/follow.ts";
import { pause } from "../../client/pause.ts";
import type { PanelView } from "../panel/view.ts";
import { isPassedOn, tell } from "./events.ts";
import { createService, type Service } from "./service.ts";

export interface Listening {
  readonly service: Service;
  /** Call after every change: starts listening when the visitor has asked for a person, and stops when the request is closed. */
  readonly update: () => void;
  readonly stop: () => void;
}

/** Receives operators' messages while the visitor's request for a person is open. */
export function createListening({ session, shell }: PanelView): Listening {
  const service = createService(shell);
  let ended = new AbortController();
  let followed: string | undefined;
  /** Number of the last event received here. */
  let told = 0;

  function stop(): void {
    ended.abort();
    followed = undefined;
  }

  function start(conversationId: string): void {
    stop();
    ended = new AbortController();
    followed = conversationId;
    told = session.kept().handoff!.heard;
    void listen(conversationId, told, ended.signal);
  }

  async function listen(conversationId: string, after: number, signal: AbortSignal): Promise<void> {
    const open = (known: number) => service.events(conversationId, known, signal);
    for await (const event of follow({ open, pause, random: Math.random }, after, signal))
      if (!signal.aborted) take(event);
  }

  function take(event: Parameters<typeof tell>[1]): void {
    const news = tell(session.kept(), event);
    told = Math.max(told, event.number);
    if (!news) return;
    session.keep(news.changed, news.heard);
    const { kind } = session.status();
    // The monthly cap does not apply to messages for an operator: send the one it held back.
    if (event.kind === "state" && event.text === "live" && kind === "capped") session.retry();
    // The visitor's last message was received and only its answer was lost: a retry with the same key returns that answer.
    const last = session.messages().at(-1);
    if (last?.role === "visitor" && last.number === event.number && kind === "unreachable")
      session.retry(last.id);
  }

  function update(): void {
    const { conversationId, handoff } = session.kept();
    const { live = true } = shell.config.handoff ?? {};
    const mayCome = handoff?.state === "live" || (handoff?.state === "open" && live);
    const wanted = mayCome ? conversationId : undefined;
    // Another tab may have stored a state without an event received here.
    const isBehind = handoff !== undefined && handoff.heard < told;
    if (wanted === followed && !(isBehind && followed)) return;
    if (wanted === undefined) stop();
    else start(wanted);
  }

  /** An operator may join a conversation although the visitor has not asked for a person. */
  function noticePerson(): void {
    const { handoff, messages } = session.kept();
    const last = messages.at(-1);
    if (!last || !isPassedOn(last) || handoff?.state === "live") return;
    session.keep({ handoff: { heard: 0, ...handoff, state: "live" } });
  }

  const stopHearing = shell.on("message", noticePerson);
  noticePerson();
  return {
    service,
    update,
    stop() {
      stop();
      stopHearing();
    },
  };
}
