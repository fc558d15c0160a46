import type { ParleyApi, ParleyMessage } from "../public.d.ts";

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

function turnCard(question: string, answer: ParleyMessage): HTMLElement {
  const allowed = answer.metadata!.capabilityAllowed;
  const list = create("dl", "");
  for (const [name, value] of rowsOf(answer)) list.append(create("dt", "", name), create("dd", "", value));
  return create(
    "li",
    "turn",
    create(
      "p",
      "turn-head",
      create("span", allowed ? "badge allowed" : "badge", allowed ? "allowed" : "restricted"),
      question,
    ),
    list,
  );
}

function showTurns(parley: ParleyApi): void {
  const turns = document.querySelector("#turns")!;
  let question = "";
  parley.on("message", (message) => {
    if (message.role === "visitor") question = message.text;
    else if (message.metadata) {
      document.querySelector("#no-turns")?.remove();
      turns.prepend(turnCard(question, message));
    }
  });
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
