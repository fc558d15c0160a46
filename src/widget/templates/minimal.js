// A complete Parley template: host it anywhere and set its address as the bot's `template.bundleUrl`.
// `context` is described in widget.d.ts (ParleyTemplateContext).
export default function mount(root, context) {
  const log = Object.assign(document.createElement("div"), { role: "log" });
  const form = document.createElement("form");
  const input = Object.assign(document.createElement("input"), { ariaLabel: context.strings.placeholder });
  form.append(input, Object.assign(document.createElement("button"), { textContent: context.strings.send }));
  const close = Object.assign(document.createElement("button"), { textContent: context.strings.close });
  close.style.cssText = "min-height: 44px; align-self: end; text-decoration: underline";
  close.addEventListener("click", context.close);
  root.style.cssText = "padding: 24px; gap: 16px; overflow: auto";
  // On a phone the panel covers the page and the launcher: the template must draw a close button.
  if (!context.inline) root.append(close);
  root.append(context.renderMarkdown(context.config.welcomeMessage), log, form);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim() === "") return;
    context.send(input.value);
    input.value = "";
  });

  const stop = context.on("change", () => {
    log.replaceChildren(
      ...context.messages.flatMap((message) => {
        // Rating buttons, "Talk to a person" and operators' messages: elements that update themselves, kept across redraws.
        const people = context.renderPeople(message);
        if (message.role === "operator") return people;
        if (message.role === "bot") return [context.renderMarkdown(message.text), people];
        return [Object.assign(document.createElement("p"), { textContent: `> ${message.text}` }), people];
      }),
      context.renderPeople(),
    );
    const isWaiting = context.messages.at(-1)?.role === "visitor";
    const failed = ["failed", "unreachable", "capped", "limited"].includes(context.status.kind);
    input.placeholder = isWaiting && failed ? context.strings.notSent : "";
  });
  return stop;
}
