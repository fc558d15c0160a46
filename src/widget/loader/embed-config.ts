import type { EmbedConfig } from "../../domain/embed.ts";
import type { WidgetOptions } from "./options.ts";

const RETRY_AFTER_MS = 15_000;

/** The bot's configuration, or undefined when there is no such bot (any more). */
async function fetchOnce({ endpoint, botId }: WidgetOptions): Promise<EmbedConfig | undefined> {
  const response = await fetch(`${endpoint}/embed-config?botId=${encodeURIComponent(botId)}`, {
    credentials: "omit",
  });
  if (response.ok) return (await response.json()) as EmbedConfig;
  if (response.status > 404) throw response; // Not the bot's fault: 429 or 5xx.
  return undefined;
}

/** Asks until there is an answer; `onTrouble` hears of each failure. */
export async function fetchEmbedConfig(
  options: WidgetOptions,
  onTrouble: () => void,
): Promise<EmbedConfig | undefined> {
  for (;;) {
    try {
      return await fetchOnce(options);
    } catch {
      onTrouble(); // A network that is down is waited for; the browser's own log names the cause.
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    }
  }
}
