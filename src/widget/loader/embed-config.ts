import type { EmbedConfig } from "../../domain/embed.ts";
import type { WidgetOptions } from "./options.ts";

const RETRY_AFTER_MS = 15_000;

/** Where the bot's configuration is, spelt as in the snippet's preload; the visitor's language follows. */
export const configUrl = ({ endpoint, botId }: Pick<WidgetOptions, "endpoint" | "botId">): string =>
  `${endpoint}/embed-config?botId=${encodeURIComponent(botId)}&locale=`;

/**
 * The bot's configuration, or undefined when there is no such bot (any more). Asks until there is an answer, or nobody wants it any
 * more; `onTrouble` hears of each failure, and may have it ask again at once.
 */
export async function fetchEmbedConfig(
  url: string,
  signal: AbortSignal,
  onTrouble: (askAgain: () => void) => void,
): Promise<EmbedConfig | undefined> {
  while (!signal.aborted) {
    try {
      const response = await fetch(url);
      if (response.ok) return (await response.json()) as EmbedConfig;
      if (response.status <= 404) return undefined;
    } catch {
      // A network that is down is waited for, as is a service that has trouble; the browser's own log names the cause.
    }
    await new Promise<void>((resolve) => {
      onTrouble(resolve);
      setTimeout(resolve, RETRY_AFTER_MS);
    });
  }
  return undefined;
}
