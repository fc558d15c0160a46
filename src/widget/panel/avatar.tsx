import { Component, h } from "preact";

import type { EmbedConfig } from "../../domain/embed.ts";

const LETTERS = /[\p{L}\p{N}]/u;

/** Initials of the first and the last word: `AS` for "Acme Support". */
export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => LETTERS.exec(word)?.[0] ?? []);
  return [letters[0], letters.length > 1 ? letters.at(-1) : ""].join("").toUpperCase();
}

/** The bot's picture; its initials if it has none or the picture fails to load. */
export class Avatar extends Component<{ config: EmbedConfig }, { broken: boolean }> {
  override render() {
    const { avatarUrl, botName } = this.props.config;
    if (avatarUrl && !this.state.broken) {
      return <img class="avatar" src={avatarUrl} alt="" onError={() => this.setState({ broken: true })} />;
    }
    return (
      <span class="avatar" aria-hidden="true">
        {initialsOf(botName)}
      </span>
    );
  }
}
