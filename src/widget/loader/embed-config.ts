import type { EmbedConfig } from "../../domain/embed.ts";
import type { WidgetOptions } from "./options.ts";

const RETRY_AFTER_MS = 15_000;

/** Address of the bot's configuration, spelled as in the snippet's preload; the visitor's language is appended. */
export const configUrl = ({ endpoint, botId }: Pick<WidgetOptions, "endpoint" | "botId">): string =>
  `${endpoint}/embed-config?botId=${encodeURIComponent(botId)}&locale=`;

/**
 * The bot's configuration, or undefined if the bot does not exist (any more). Retries until there is an answer or the signal aborts;
 * `onTrouble` is told of each failure and can retry at once.
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
      // Network and service failures are retried; the browser logs their cause.
    }
    await new Promise<void>((resolve) => {
      onTrouble(resolve);
      setTimeout(resolve, RETRY_AFTER_MS);
    });
  }
  return undefined;
}
