import { h } from "preact";

import { Avatar } from "./avatar.tsx";
import { IconButton } from "./icons.tsx";
import type { PanelView } from "./view.ts";

export function Header({ view }: { view: PanelView }) {
  const { shell, session, words } = view;
  const { botName, tagline } = shell.config;
  const hasMessages = session.messages().length > 0;
  const restart = () => {
    session.startOver();
    view.focusInput();
  };
  return (
    <div class="header">
      {hasMessages && <Avatar config={shell.config} />}
      <div class="names">
        <h2>
          <bdi>{botName}</bdi>
        </h2>
        {tagline && (
          <p>
            <bdi>{tagline}</bdi>
          </p>
        )}
      </div>
      {hasMessages && <IconButton name="restart" label={words("restart")} onClick={restart} />}
      {!shell.options.container && <IconButton name="close" label={words("close")} onClick={shell.close} />}
    </div>
  );
}
