import type { EmbedConfig } from "../../domain/embed.ts";
import type { WidgetOptions } from "./options.ts";

const FIRST_RETRY_MS = 2000;
const LAST_RETRY_MS = 60_000;

/** The bot's configuration, or undefined when there is no such bot (any more). */
async function fetchOnce(options: WidgetOptions): Promise<EmbedConfig | undefined> {
  const response = await fetch(`${options.endpoint}/embed-config?botId=${encodeURIComponent(options.botId)}`, {
    credentials: "omit",
  });
  if (response.ok) return (await response.json()) as EmbedConfig;
  if (response.status >= 500 || response.status === 429) throw new Error(`embed-config: ${response.status}`);
  return undefined;
}

/** Asks until there is an answer, less and less often; `onTrouble` hears of the first failure. */
export async function fetchEmbedConfig(
  options: WidgetOptions,
  onTrouble: () => void,
): Promise<EmbedConfig | undefined> {
  for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
    try {
      return await fetchOnce(options);
    } catch {
      onTrouble(); // A network that is down is waited for; the browser's own log names the cause.
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
