import { checkAllowedDomains } from "./access/allowed-domain.ts";
import type { BotRule } from "./domain/bot.ts";
import { checkCapabilityProfile } from "./governance/check-capability-profile.ts";
import { checkOutputSchemas } from "./governance/check-output-schemas.ts";
import { checkSilentIntents } from "./governance/check-silent-intents.ts";

/** What a bot document must satisfy beyond its shape; `parley seed` reports every fault at once. */
export const BOT_RULES: readonly BotRule[] = [
  checkAllowedDomains,
  checkCapabilityProfile,
  checkOutputSchemas,
  checkSilentIntents,
];
