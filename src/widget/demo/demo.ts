import type { ParleyApi, ParleyError, ParleyMessage } from "../public.d.ts";

type Row = readonly [name: string, value: string];

function create(tag: string, className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const node = document.createElement(tag);
  node.className = className;
  node.append(...children);
  return node;
}

function rowsOf({ intentDetected, metadata, requestId, durationMs }: ParleyMessage): readonly Row[] {
  const rows: Row[] = [
    ["intentDetected", intentDetected ?? "–"],
    ["capabilityAllowed", String(metadata!.capabilityAllowed)],
    ["enforcementReason", metadata!.enforcementReason ?? "–"],
    ["schemaEnforced", String(metadata!.schemaEnforced)],
    ["schemaFallbackUsed", String(metadata!.schemaFallbackUsed)],
  ];
  if (metadata!.schemaValidationError) rows.push(["schemaValidationError", metadata!.schemaValidationError]);
  if (requestId) rows.push(["requestId", requestId]);
  rows.push(["duration", `${Math.round(durationMs ?? 0)} ms`]);
  return rows;
}

function card(badge: HTMLElement, question: string, rows: readonly Row[]): HTMLElement {
  const list = create("dl", "");
  for (const [name, value] of rows) list.append(create("dt", "", name), create("dd", "", value));
  return create("li", "turn", create("p", "turn-head", badge, question), list);
}

function turnCard(question: string, answer: ParleyMessage): HTMLElement {
  const badge = answer.metadata!.capabilityAllowed
    ? create("span", "badge allowed", "allowed")
    : create("span", "badge", "restricted");
  return card(badge, question, rowsOf(answer));
}

function errorCard(question: string, { code, message, requestId }: ParleyError): HTMLElement {
  const rows: Row[] = [["code", code]];
  if (message) rows.push(["detail", message]);
  if (requestId) rows.push(["requestId", requestId]);
  return card(create("span", "badge failed", "error"), question, rows);
}

function showTurns(parley: ParleyApi): void {
  const turns = document.querySelector("#turns")!;
  let question = "";
  const show = (turn: HTMLElement) => {
    document.querySelector("#no-turns")?.remove();
    turns.prepend(turn);
  };
  parley.on("message", (message) => {
    if (message.role === "visitor") question = message.text;
    else if (message.metadata) show(turnCard(question, message));
  });
  parley.on("error", (error) => show(errorCard(question, error)));
}

function offerCopy(): void {
  const button = document.querySelector<HTMLButtonElement>("#copy")!;
  const say = (text: string) => (button.textContent = text);
  button.addEventListener("click", () => {
    const snippet = document.querySelector("#snippet")!.textContent;
    navigator.clipboard.writeText(snippet).then(
      () => say("Copied"),
      () => say("Copy it by hand"),
    );
    setTimeout(say, 2000, "Copy");
  });
}

function openChat(): void {
  for (const link of document.querySelectorAll("[data-ask]")) {
    link.addEventListener("click", () => {
      const text = (link as HTMLElement).dataset["ask"]!;
      (window.Parley ??= []).push((parley) => {
        parley.open();
        if (text) parley.send(text);
      });
    });
  }
}

offerCopy();
openChat();
(window.Parley ??= []).push(showTurns);
