import { type ComponentChildren, h } from "preact";

import { Mark } from "../../parts/icon.tsx";

/** The frame of the pages before sign-in. */
export function Door({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="door">
      <div class="brand">
        <Mark />
        <span>Parley</span>
      </div>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
