import { h } from "preact";

import { IconButton } from "./icons.tsx";
import type { PanelView } from "./view.ts";

export function Header({ view }: { view: PanelView }) {
  const { shell, session, words } = view;
  const restart = () => {
    session.reset();
    view.input?.focus();
  };
  return (
    <header>
      <h2>
        <bdi>{shell.config.botName}</bdi>
      </h2>
      {session.messages().length > 0 && (
        <IconButton name="restart" label={words("restart")} onClick={restart} />
      )}
      {!shell.options.container && <IconButton name="close" label={words("close")} onClick={shell.close} />}
    </header>
  );
}
