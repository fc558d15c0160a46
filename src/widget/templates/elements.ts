export function create<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  properties: Partial<HTMLElementTagNameMap[T]>,
  ...children: readonly Node[]
): HTMLElementTagNameMap[T] {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

export function button(text: string, className: string, onclick: () => void): HTMLButtonElement {
  return create("button", { type: "button", textContent: text, className, onclick });
}
